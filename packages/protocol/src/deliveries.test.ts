import { expect, test } from "vitest";
import { testEmailRequestSchema } from "./deliveries.ts";

test("the address of a test email loses invisible characters", () => {
  expect(testEmailRequestSchema.safeParse({ to: "\u202a ada@mail.example \u202c" }).data).toEqual({
    to: "ada@mail.example",
  });
});

test.each(["", "ada", "ada@mail.example, eve@mail.example", `${"a".repeat(250)}@mail.example`])(
  "a test email is not sent to %j",
  (to) => {
    expect(testEmailRequestSchema.safeParse({ to }).success).toBe(false);
  },
);
