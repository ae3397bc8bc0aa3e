import type { MerchantItem } from "@keepsats/protocol";
import { expect, test } from "vitest";
import {
  changedFields,
  changedItem,
  draftOf,
  emptyDraft,
  expectedOf,
  patchOf,
  readDraft,
  readField,
  rebasedDraft,
} from "./item-draft.ts";

const mug: MerchantItem = {
  id: "mug",
  name: "Mug",
  description: "For tea.",
  price: 1_250,
  image_url: "/pictures/mug.svg",
  image_urls: ["/pictures/mug-2.svg"],
  stock: 7,
  hidden: false,
};

test("the draft of an item reads as the item, and changes nothing", () => {
  const read = readDraft(draftOf(mug));
  if (read.kind !== "item") throw new Error("the draft is not valid");
  expect(read.id).toBe("mug");
  expect({ id: "mug", ...read.item }).toEqual(mug);
  expect(patchOf(mug, read.item)).toEqual({});
});

test("only what was changed is sent", () => {
  const read = readDraft({
    ...draftOf(mug),
    price: "$1,013.50",
    stock: "",
    pictures: ["/pictures/mug-2.svg"],
  });
  if (read.kind !== "item") throw new Error("the draft is not valid");
  expect(patchOf(mug, read.item)).toEqual({
    price: 101_350,
    stock: null,
    image_url: "/pictures/mug-2.svg",
    image_urls: [],
  });
});

test.each([
  ["id", "a mug"],
  ["name", " "],
  ["description", ""],
  ["price", "0"],
  ["price", "1.005"],
  ["price", "-1"],
  ["stock", "-1"],
  ["stock", "1.5"],
  ["stock", "2000000"],
  ["pictures", ["javascript:alert(1)"]],
  ["pictures", []],
])("a draft with %s %j names the field", (field, value) => {
  const read = readDraft({ ...draftOf(mug), [field]: value });
  if (read.kind !== "invalid") throw new Error("the draft is valid");
  expect(Object.keys(read.faults)).toEqual([field]);
  expect(Object.values(read.faults)[0]).toMatch(/^(It (must|needs|is) |Type |Add ).+[^.]\.$/);
});

test("what is no number is told in words of the form", () => {
  const faults = {
    price: "Type a price such as 12.50.",
    stock: "Type a whole number of pieces, or nothing.",
  };
  expect(readDraft({ ...draftOf(mug), price: "free", stock: "many" })).toEqual({
    kind: "invalid",
    faults,
  });
  expect(readField("price", "free")).toEqual({ kind: "invalid", message: faults.price });
  expect(readField("stock", "1.5")).toEqual({ kind: "invalid", message: faults.stock });
  expect(readField("price", "0")).toMatchObject({ message: expect.stringContaining("from 0.01") });
});

test("an empty draft says what every field needs", () => {
  const read = readDraft(emptyDraft);
  if (read.kind !== "invalid") throw new Error("the draft is valid");
  expect(Object.keys(read.faults).sort()).toEqual([
    "description",
    "id",
    "name",
    "pictures",
    "price",
  ]);
});

test("what others have changed meanwhile is named", () => {
  expect(changedFields(draftOf(mug), draftOf(mug))).toEqual([]);
  expect(changedFields(draftOf(mug), draftOf({ ...mug, price: 1, hidden: true }))).toEqual([
    "price",
    "isHidden",
  ]);
});

test("a change expects what was seen of the fields that it has, and nothing of the others", () => {
  expect(expectedOf({ price: 1, stock: null }, mug)).toEqual({ price: 1_250, stock: 7 });
  expect(expectedOf({}, mug)).toEqual({});
});

test("a change of the table is shown, and taken back", () => {
  const patch = { price: 1_300, stock: null };
  const changed = changedItem(mug, patch);
  expect(changed).toEqual({ ...mug, price: 1_300, stock: null });
  expect(changedItem({ ...changed, name: "Cup" }, expectedOf(patch, mug))).toEqual({
    ...mug,
    name: "Cup",
  });
});

test("what others have changed comes into the form where nothing was typed", () => {
  const typed = { ...draftOf(mug), price: "13", pictures: ["/pictures/other.svg"] };
  const now = { ...mug, name: "Cup", price: 1_400, stock: 6 };
  const rebased = rebasedDraft(typed, mug, now);
  expect(rebased).toEqual({ ...draftOf(now), price: "13", pictures: ["/pictures/other.svg"] });
  const read = readDraft(rebased);
  if (read.kind !== "item") throw new Error("the draft is not valid");
  expect(Object.keys(patchOf(now, read.item))).toEqual(["price", "image_url", "image_urls"]);
});

test.each([
  ["12,50", 1_250],
  ["12,5", 1_250],
  ["$ 1,250", 125_000],
  ["1,250.50", 125_050],
])("the price %s has a comma that is understood", (text, price) => {
  expect(readField("price", text)).toEqual({ kind: "patch", patch: { price } });
});

test("a field of the table is read by the same rules", () => {
  expect(readField("price", "13")).toEqual({ kind: "patch", patch: { price: 1_300 } });
  expect(readField("stock", " ")).toEqual({ kind: "patch", patch: { stock: null } });
  expect(readField("name", " Cup ")).toEqual({ kind: "patch", patch: { name: "Cup" } });
  for (const [field, text] of [
    ["price", "free"],
    ["stock", "many"],
    ["name", ""],
  ] as const)
    expect(readField(field, text), field).toEqual({
      kind: "invalid",
      message: expect.stringMatching(/\w/),
    });
});
