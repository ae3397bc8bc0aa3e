import { expect, test } from "vitest";
import { nextRow } from "./table-keys.ts";

test("the focus starts at the first row and stays inside the table", () => {
  expect(nextRow(-1, "down", 3)).toBe(0);
  expect(nextRow(0, "down", 3)).toBe(1);
  expect(nextRow(2, "down", 3)).toBe(2);
  expect(nextRow(0, "up", 3)).toBe(0);
});
