import { MAX_PRICE } from "@keepsats/domain";
import { expect, test } from "vitest";
import { mug } from "../mug.test-data.ts";
import {
  type BulkEdit,
  bulkEdits,
  bulkReport,
  type Outcome,
  openChanges,
  parsePercent,
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

const changed: Outcome = { kind: "changed", text: "Now $11.25." };
const conflict: Outcome = { kind: "conflict", text: "Not changed: someone else has changed it." };
const failed: Outcome = { kind: "failed", text: "Not changed: the shop is away." };

test("failed items can be tried again, changed ones and those with a conflict cannot", () => {
  const items = ["a", "b", "c", "d"].map((id) => ({ ...mug, id }));
  const outcomes = new Map<string, Outcome>([
    ["a", changed],
    ["b", conflict],
    ["c", failed],
  ]);
  const open = (text: string) => openChanges("price", parse("price", text).data, items, outcomes);
  expect(open("-10").map(({ id, patch }) => [id, patch])).toEqual([
    ["c", { price: 1_125 }],
    ["d", { price: 1_125 }],
  ]);
  expect(open("0")).toEqual([]);
  expect(open("much")).toEqual([]);
});

test("the report counts the changed items and names the others with their reasons", () => {
  expect(bulkReport("price", new Map([["mug", changed]]), [mug])).toEqual({
    kind: "success",
    title: "1 item changed",
    description: "",
  });
  const outcomes = new Map<string, Outcome>([
    ["cup", changed],
    ["mug", failed],
  ]);
  expect(bulkReport("show", outcomes, [mug])).toEqual({
    kind: "error",
    title: "1 item shown, 1 not",
    description: "Mug: Not changed: the shop is away.",
  });
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
