import { expect, test } from "vitest";
import { bearerIs } from "./bearer.ts";

test.each([
  ["Bearer right", true],
  ["bearer right", true],
  ["Bearer wrong", false],
  ["Bearer right ", false],
  ["right", false],
  ["", false],
  [undefined, false],
])("%j opens: %s", (header, opens) => {
  expect(bearerIs(header, "right")).toBe(opens);
});
