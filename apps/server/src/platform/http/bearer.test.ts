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
])("%j is accepted: %s", (header, isAccepted) => {
  expect(bearerIs(header, "right")).toBe(isAccepted);
});
