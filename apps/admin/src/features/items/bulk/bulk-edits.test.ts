import { MAX_PRICE } from "@keepsats/domain";
import { expect, test } from "vitest";
import { mug } from "../mug.test-data.ts";
import {
  type BulkEdit,
  bulkEdits,
  parsePercent,
  plannedEdits,
  previewOf,
  priceAfter,
} from "./bulk-edits.ts";

const parse = (edit: BulkEdit, text: string) => bulkEdits[edit].schema.safeParse(text);

const preview = (edit: BulkEdit, text: string, item = mug) =>
  previewOf(edit, item, bulkEdits[edit].schema.parse(text));

test.each<[BulkEdit, string, object]>([
  ["price", "-10", { patch: { price: 1_125 }, from: "$12.50", to: "$11.25" }],
  ["stock", "20", { patch: { stock: 20 }, from: "7", to: "20" }],
  ["stock", "", { patch: { stock: null }, from: "7", to: "not counted" }],
  [
    "category",
    "Kitchen",
    { patch: { category: "Kitchen" }, from: "without a category", to: "Kitchen" },
  ],
  ["hide", "", { patch: { hidden: true }, from: "shown", to: "not shown" }],
])("the preview of %s %j has the old and the new value", (edit, text, expected) => {
  expect(preview(edit, text)).toEqual(expected);
});

test.each<[BulkEdit, string]>([
  ["price", "0"],
  ["price", "0.01"],
  ["stock", "7"],
  ["show", ""],
])("%s %j leaves out an item that stays the same", (edit, text) => {
  const { from } = preview(edit, text);
  expect(preview(edit, text)).toEqual({ from });
});

test("an item whose price would leave the range is refused, and the others are not", () => {
  expect(preview("price", "100", { ...mug, price: MAX_PRICE })).toEqual({
    from: "$1,000,000.00",
    reason: "not a price from $0.01 to $1,000,000.00",
  });
  expect(preview("price", "-100")).toHaveProperty("reason");
  expect(preview("price", "100")).toHaveProperty("to");
});

test.each<[BulkEdit, string]>([
  ["price", "NaN"],
  ["price", ""],
  ["stock", "-1"],
  ["stock", "many"],
])("%s %j is invalid", (edit, text) => {
  expect(parse(edit, text).error?.issues[0]?.message).toMatch(/\w/);
});

test("only items that would change are edited", () => {
  const items = [mug, { ...mug, id: "free", stock: 20 }];
  const planned = (text: string) => plannedEdits("stock", parse("stock", text).data, items);
  expect(planned("20").map(({ id, patch }) => [id, patch])).toEqual([["mug", { stock: 20 }]]);
  expect(planned("7").map(({ id }) => id)).toEqual(["free"]);
  expect(planned("many")).toEqual([]);
});

test.each([
  ["10", 1_000],
  ["+2,25", 225],
  ["-12.5 %", -1_250],
  ["−0.1%", -10],
  [" 0 ", 0],
])("%j is a percentage", (text, hundredths) => {
  expect(Math.abs(parsePercent(text) ?? Number.NaN)).toBe(Math.abs(hundredths));
  expect(Math.sign(parsePercent(text) ?? Number.NaN)).toBe(Math.sign(hundredths));
});

test.each(["", "%", "ten", "NaN", "Infinity", "1e3", "--5", "1.234", "123456", "0x10", "5 5"])(
  "%j is not a percentage",
  (text) => {
    expect(parsePercent(text)).toBeUndefined();
  },
);

test.each([
  ["is rounded to the cent", 1_999, 1_000, 2_199],
  ["with half a cent is rounded up", 50, 100, 51],
  ["with half a cent is rounded up when it falls", 50, -100, 50],
  ["is exact where floating point is not", 105, 1_000, 116],
  ["can be the maximum", MAX_PRICE / 2, 10_000, MAX_PRICE],
  ["can be a cent", 100, -9_900, 1],
])("a changed price %s", (_, price, percent, expected) => {
  expect(priceAfter(price, percent)).toBe(expected);
});

test.each([
  ["above the maximum", MAX_PRICE, 1],
  ["of 0", 100, -10_000],
  ["that rounds to 0", 1, -6_000],
  ["below 0", 100, -20_000],
])("a price %s is refused", (_, price, percent) => {
  expect(priceAfter(price, percent)).toBeUndefined();
});
