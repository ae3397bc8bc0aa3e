import { expect, test } from "vitest";
import { pageOf } from "./pagination.ts";

test("a full page has a next cursor only if there are more rows", () => {
  expect(pageOf([1, 2], 2, String)).toEqual({ page: [1, 2], next_cursor: null });
  expect(pageOf([1, 2, 3], 2, String)).toEqual({ page: [1, 2], next_cursor: "2" });
  expect(pageOf([], 2, String)).toEqual({ page: [], next_cursor: null });
});
