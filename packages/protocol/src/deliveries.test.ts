import { expect, test } from "vitest";
import { testLetterRequestSchema } from "./deliveries.ts";

test("a test letter goes to a pasted address without what nobody sees", () => {
  expect(testLetterRequestSchema.safeParse({ to: "\u202a ada@mail.example \u202c" }).data).toEqual({
    to: "ada@mail.example",
  });
});

test.each(["", "ada", "ada@mail.example, eve@mail.example", `${"a".repeat(250)}@mail.example`])(
  "a test letter goes not to %j",
  (to) => {
    expect(testLetterRequestSchema.safeParse({ to }).success).toBe(false);
  },
);
