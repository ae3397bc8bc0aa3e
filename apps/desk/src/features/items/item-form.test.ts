import type { MerchantItem } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { errorSentence } from "../../lib/api.ts";
import {
  changedItem,
  emptyItem,
  expectedOf,
  type ItemValues,
  itemForm,
  itemValues,
  madeId,
  newItemOf,
  patchOf,
  readField,
} from "./item-form.ts";

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

function parse(changes: Partial<ItemValues>) {
  return itemForm.schema.parse({ ...itemValues(mug), ...changes });
}

/** The errors of a form, by the name of the field. */
function errorsOf(values: ItemValues): Record<string, string> {
  const { error } = itemForm.schema.safeParse(values);
  const issues = error?.issues ?? [];
  return Object.fromEntries(
    issues.map(({ path, message }) => [String(path[0]), errorSentence(message)]),
  );
}

test("the fields of an item read as the item", () => {
  expect(newItemOf(parse({}), "made")).toEqual({
    id: "mug",
    item: {
      name: "Mug",
      description: "For tea.",
      price: 1_250,
      image_url: "/pictures/mug.svg",
      image_urls: ["/pictures/mug-2.svg"],
      stock: 7,
      hidden: false,
    },
  });
});

test("a new item without an id gets one that is made from its name and is not taken", () => {
  const made = madeId("Tin Mug", ["tin-mug"]);
  expect(newItemOf(parse({ id: " ", name: "Tin Mug" }), made).id).toBe("tin-mug-2");
});

test("a change has the fields that were edited, in the formats of the API", () => {
  const { price, stock, pictures } = parse({
    price: "$1,013.50",
    stock: "",
    pictures: ["/pictures/mug-2.svg"],
  });
  expect(patchOf({ price, stock, pictures })).toEqual({
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
])("a form with %s %j names the field", (field, value) => {
  const errors = errorsOf({ ...itemValues(mug), [field]: value });
  expect(Object.keys(errors)).toEqual([field]);
  expect(Object.values(errors)[0]).toMatch(/^(It (must|needs|is) |Type |Add ).+[^.]\.$/);
});

test("a text that is no number is answered in words of the form", () => {
  const errors = {
    price: "Type a price such as 12.50.",
    stock: "Type a whole number of pieces, or nothing.",
  };
  expect(errorsOf({ ...itemValues(mug), price: "free", stock: "many" })).toEqual(errors);
  expect(readField("price", "free")).toEqual({ kind: "invalid", message: errors.price });
  expect(readField("stock", "1.5")).toEqual({ kind: "invalid", message: errors.stock });
  expect(readField("price", "0")).toMatchObject({ message: expect.stringContaining("from 0.01") });
});

test("an empty form says what every field needs", () => {
  expect(Object.keys(errorsOf(emptyItem)).sort()).toEqual([
    "description",
    "name",
    "pictures",
    "price",
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
