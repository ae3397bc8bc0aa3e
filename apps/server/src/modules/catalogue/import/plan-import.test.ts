import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../../test/harness/builders.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { Item } from "../item.ts";
import { orderAfter, planImport } from "./plan-import.ts";

const added = (id: string) => ({
  id,
  name: `The ${id}`,
  description: "A thing.",
  price: 1_500,
  image_url: "/pictures/thing.svg",
});
const anItem = (id: string, changes: Partial<Item> = {}) =>
  aStoredItem({ ...added(id), ...changes });
const known = [anItem("a"), anItem("b", { hidden: true }), anItem("c")];
const pictures = new Set(["/pictures/thing.svg", "/pictures/blue mug.svg"]);
const references = { pictures, categories: [{ id: "kitchen", name: "Kitchen" }] };
const plan = (...imported: Parameters<typeof planImport>[1]) =>
  planImport(known, imported, references);

test("fields and items that are not in the file stay unchanged", async () => {
  expect(await plan({ id: "b", name: "Mended" })).toEqual({
    updates: [anItem("b", { hidden: true, name: "Mended" })],
    tail: [],
    withNewStock: new Set(),
    counted: new Set(),
    answer: {
      added: 0,
      changed: 1,
      unchanged: 0,
      reordered: false,
      changes: [
        {
          kind: "changed",
          id: "b",
          name: "Mended",
          fields: [{ field: "name", from: "The b", to: "Mended" }],
        },
      ],
    },
  });
});

test("the changes have the titles of the items, with their variants", async () => {
  const group = [anItem("shirt"), anItem("small", { variant_of: "shirt", variant_name: "Small" })];
  const large = { ...added("large"), variant_of: "shirt", variant_name: "Large" };
  expect(await planImport(group, [{ id: "small", price: 900 }, large], references)).toMatchObject({
    answer: { changes: [{ name: "The small – Small" }, { name: "The large – Large" }] },
  });
});

test("a file with the current values changes nothing", async () => {
  expect(await plan(added("a"), { id: "b", hidden: true })).toMatchObject({
    updates: [],
    tail: [],
    answer: { unchanged: 2, changes: [] },
  });
});

test("a missing id is derived from the name, and matches the existing item with that id and name", async () => {
  const { id: _, ...cup } = added("cup");
  const planned = await plan(
    { ...cup, name: "B" },
    { ...cup, name: "A" },
    { ...cup, name: "A" },
    added("a-2"),
  );
  expect(planned).toMatchObject({
    answer: { changes: [{ id: "b-2" }, { id: "a-3" }, { id: "a-4" }, { id: "a-2" }] },
  });
  const same = await planImport(
    [anItem("cup", { name: "Cup" })],
    [{ ...cup, name: "Cup" }],
    references,
  );
  expect(same).toMatchObject({ answer: { added: 0, changed: 0, unchanged: 1 } });
});

test("each change is reported with its old and new value", async () => {
  expect(await plan({ id: "a", price: 1_250, hidden: true })).toMatchObject({
    answer: {
      changes: [
        {
          fields: [
            { field: "price", from: 1_500, to: 1_250 },
            { field: "hidden", from: false, to: true },
          ],
        },
      ],
    },
  });
});

test("a new item needs every field, and each missing one is reported", async () => {
  const errors = ["description", "price", "image_url"].map((field) => ({
    path: `items.1.${field}`,
    message: expect.stringContaining("is required"),
  }));
  expect(await plan({ id: "a" }, { id: "new", name: "New" })).toEqual(
    new Refusal("invalid", { errors }),
  );
});

test("one of the shop's own pictures must exist, unless the item had it before; others are not checked", async () => {
  expect(await plan({ ...added("a"), image_url: "/pictures/none.svg" })).toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "items.0.image_url" }] },
  });
  expect(await plan({ ...added("new"), image_url: "/elsewhere.svg" })).toMatchObject({
    code: "invalid",
  });
  expect(
    await plan({ ...added("a"), image_url: "/pictures/blue%20mug.svg?v=2" }),
  ).not.toBeInstanceOf(Refusal);
  expect(await plan({ ...added("a"), image_url: "https://cdn.example/x.png" })).not.toBeInstanceOf(
    Refusal,
  );
  expect(
    await planImport(known, [added("a")], { pictures: new Set(), categories: [] }),
  ).not.toBeInstanceOf(Refusal);
});

test.each([
  ["the whole catalogue in another order", ["c", "a", "b"], ["c", "a", "b"]],
  ["a part in another order: the others keep their places", ["c", "a"], ["c", "b", "a"]],
  ["one item: nothing moves", ["c"], ["a", "b", "c"]],
  ["new items alone come last", ["x", "y"], ["a", "b", "c", "x", "y"]],
  ["a new one stands behind the one before it in the file", ["a", "x", "c"], ["a", "x", "b", "c"]],
  ["or before the first of the file", ["x", "b"], ["a", "x", "b", "c"]],
])("the order after %s", (_, imported, order) => {
  expect(orderAfter(["a", "b", "c"], imported, new Set(["x", "y"]))).toEqual(order);
});

test("only the items from the first change of position are moved", async () => {
  expect(await plan(added("x"), { id: "c", price: 200 })).toMatchObject({
    updates: [],
    tail: [{ id: "x" }, { id: "c", price: 200 }],
    answer: { reordered: false },
  });
  expect(await plan({ id: "b" }, { id: "a" })).toMatchObject({
    tail: [{ id: "b" }, { id: "a" }, { id: "c" }],
    answer: { reordered: true, unchanged: 2 },
  });
});

test("a category is found by name or id, and an unknown one is refused", async () => {
  for (const category of ["KITCHEN", "kitchen"])
    expect(await plan({ id: "a", category })).toMatchObject({
      updates: [{ category: "Kitchen" }],
    });
  const errors = [{ path: "items.0.category", message: "is not the name or id of a category" }];
  expect(await plan({ id: "a", category: "Garden" })).toEqual(new Refusal("invalid", { errors }));
});

test("variants are checked against the catalogue after the import", async () => {
  expect(await plan({ id: "a", variant_of: "new" }, added("new"))).not.toBeInstanceOf(Refusal);
  expect(await plan({ id: "a", variant_of: "b" }, { id: "b", variant_of: "c" })).toMatchObject({
    details: {
      errors: [
        { path: "items.0.variant_of", message: 'is itself a variant of "c"' },
        { path: "items.1.variant_of", message: "must be empty, because the item has variants" },
      ],
    },
  });
});
