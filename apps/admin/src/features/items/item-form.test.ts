import { expect, test } from "vitest";
import { fieldErrorText } from "../../lib/api.ts";
import {
  emptyItem,
  expectedOf,
  type ItemValues,
  idFromName,
  itemForm,
  itemSchemaAmong,
  itemValues,
  newItemOf,
  patchOf,
  variantValues,
} from "./item-form.ts";
import { mug as plainMug } from "./mug.test-data.ts";

const mug = { ...plainMug, image_urls: ["/pictures/mug-2.svg"], vat_rate: 700 };

function parse(changes: Partial<ItemValues>) {
  return itemForm.schema.parse({ ...itemValues(mug), ...changes });
}

/** The errors by field. */
function errorsOf(values: ItemValues): Record<string, string> {
  const { error } = itemForm.schema.safeParse(values);
  const issues = error?.issues ?? [];
  return Object.fromEntries(
    issues.map(({ path, message }) => [String(path[0]), fieldErrorText(message)]),
  );
}

test("the form of an item is parsed as the same item", () => {
  const { id, category: _, variant_of: _of, variant_name: _name, ...item } = mug;
  expect(newItemOf(parse({}), "derived")).toEqual({ id, item });
});

test("a new item is sent without the empty fields that a server of version 1.0 refuses", () => {
  const sent = (values: Partial<ItemValues>) =>
    Object.keys(JSON.parse(JSON.stringify(newItemOf(parse(values), "derived").item))).sort();
  const known = ["description", "hidden", "image_url", "image_urls", "name", "price", "stock"];
  expect(sent({ vat_rate: "" })).toEqual(known);
  const filled = { vat_rate: "0", category: "Cups", variant_of: "pot", variant_name: "Small" };
  expect(sent(filled)).toEqual([...known, ...Object.keys(filled)].sort());
});

test.each([
  ["its id", "pot", "pot"],
  ["its name in any case", " tea POT ", "pot"],
  ["the id rather than a name", "Lid", "Lid"],
  ["nothing", " ", null],
])("the main item of a variant is found by %s", (_, typed, found) => {
  const items = [
    { ...mug, id: "pot", name: "Tea pot" },
    { ...mug, id: "Lid", name: "Glass lid" },
    { ...mug, id: "other", name: "Lid" },
  ];
  const schema = itemSchemaAmong(items);
  expect(schema.parse({ ...itemValues(mug), variant_of: typed }).variant_of).toBe(found);
});

test.each([
  ["unknown", "Saucer"],
  ["that of two items", "Mug"],
  ["that of a variant", "Small mug"],
])("a name that is %s finds no main item", (_, typed) => {
  const small = { ...mug, id: "small", name: "Small mug", variant_of: "mug" };
  const schema = itemSchemaAmong([mug, { ...mug, id: "mug-2" }, small]);
  const { error } = schema.safeParse({ ...itemValues(mug), variant_of: typed });
  expect(error?.issues).toMatchObject([
    { path: ["variant_of"], message: "Choose an item from the list." },
  ]);
});

test("a new variant has the fields of its main item except id, stock and variant name", () => {
  const main = { ...mug, category: "Cups", variant_name: "Large" };
  expect(variantValues(main)).toEqual({
    ...itemValues(main),
    id: "",
    stock: "",
    variant_of: "mug",
    variant_name: "",
  });
});

test("a new item without an id gets an unused one that is derived from its name", () => {
  const derivedId = idFromName("Tin Mug", ["tin-mug"]);
  expect(newItemOf(parse({ id: " ", name: "Tin Mug" }), derivedId).id).toBe("tin-mug-2");
});

test.each([
  ["19", 1_900],
  ["19%", 1_900],
  ["7,5 %", 750],
  ["", null],
])("the VAT rate %j is %j basis points", (vat_rate, rate) => {
  expect(parse({ vat_rate }).vat_rate).toBe(rate);
});

test("a change has the edited fields in the formats of the API", () => {
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
  ["vat_rate", "-1"],
  ["vat_rate", "100.01"],
  ["pictures", ["javascript:alert(1)"]],
  ["pictures", []],
])("a form with %s %j has an error at this field", (field, value) => {
  const errors = errorsOf({ ...itemValues(mug), [field]: value });
  expect(Object.keys(errors)).toEqual([field]);
  expect(Object.values(errors)[0]).toMatch(/^(It (must|needs|is) |Enter |Add ).+[^.]\.$/);
});

test("a text that is not a number has an error in the terms of the form", () => {
  const errors = {
    price: "Enter a price such as 12.50.",
    stock: "Enter a whole number of pieces, or leave it empty.",
  };
  expect(errorsOf({ ...itemValues(mug), price: "free", stock: "many" })).toEqual(errors);
  expect(errorsOf({ ...itemValues(mug), stock: "1.5" })).toEqual({ stock: errors.stock });
  expect(errorsOf({ ...itemValues(mug), price: "0" }).price).toContain("from 0.01");
});

test("an empty form has an error at every required field", () => {
  expect(Object.keys(errorsOf(emptyItem)).sort()).toEqual([
    "description",
    "name",
    "pictures",
    "price",
  ]);
});

test("a change expects the previous values of its own fields only", () => {
  expect(expectedOf({ price: 1, stock: null }, mug)).toEqual({ price: 1_250, stock: 7 });
  expect(expectedOf({}, mug)).toEqual({});
});

test.each([
  ["12,50", 1_250],
  ["12,5", 1_250],
  ["$ 1,250", 125_000],
  ["1,250.50", 125_050],
])("the price %s is parsed with its comma", (text, price) => {
  expect(parse({ price: text }).price).toBe(price);
});
