import { expect, test } from "vitest";
import { pagesOf } from "./client.ts";

const pages = [
  { rows: [1, 2], next_cursor: "b" },
  { rows: [3], next_cursor: "c" },
  { rows: [], next_cursor: null },
];
const read = (asked: (string | undefined)[]) => async (cursor: string | undefined) => {
  asked.push(cursor);
  return pages[asked.length - 1] ?? { rows: [], next_cursor: null };
};

test("all pages are read, each from the cursor of the one before", async () => {
  const asked: (string | undefined)[] = [];
  const rows: number[] = [];
  for await (const page of pagesOf(read(asked))) rows.push(...page.rows);
  expect(rows).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, "b", "c"]);
});

test("a reader who stops after the first page asks for no other", async () => {
  const asked: (string | undefined)[] = [];
  for await (const { rows } of pagesOf(read(asked))) {
    expect(rows).toEqual([1, 2]);
    break;
  }
  expect(asked).toEqual([undefined]);
});
