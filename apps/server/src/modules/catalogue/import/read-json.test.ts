import { itemImportSchema, MAX_IMPORT } from "@keepsats/protocol";
import { expect, test, vi } from "vitest";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import { readJson } from "./read-json.ts";

configureSchemas(en());

const anItem = (id: string, changes: object = {}) => ({
  id,
  name: `The ${id}`,
  description: 'Ä thing, "quoted" \\ \u{1f600}.',
  price: 12.5,
  image_url: "/pictures/thing.svg",
  ...changes,
});

const read = (body: unknown) => readJson(typeof body === "string" ? body : JSON.stringify(body));

test("the items of a body are read, and its other fields ignored", async () => {
  const items = [anItem("a"), { id: "b", hidden: true }, { id: "c", price: 1e2 }];
  const body = { note: { deep: [[1, "x", null, true]] }, items, more: "ignored" };
  expect(await read(body)).toEqual({
    items: itemImportSchema.parse({ items }).items,
    paths: ["items.0", "items.1", "items.2"],
    errors: [],
  });
});

test("the items of a list alone are read", async () => {
  expect(await read([anItem("a")])).toEqual(await read({ items: [anItem("a")] }));
});

test.each([
  ["nothing", ""],
  ["no JSON", "{items:[]}"],
  ["half a body", '{"items":[{"id":"a"}'],
  ["something behind it", '{"items":[]}{}'],
  ["a text", '"items"'],
])("%s is malformed", async (_, body) => {
  expect(await read(body)).toMatchObject({ code: "malformed" });
});

test.each([
  ["no items", {}, "items"],
  ["items that are not a list", { items: {} }, "items"],
  ["an item that is not an object", { items: [anItem("a"), 7] }, "items.1"],
  ["an item that is a list", { items: [[]] }, "items.0"],
  ["a field of another type", { items: [anItem("a", { price: "1" })] }, "items.0.price"],
  ["a field that is an object", { items: [anItem("a", { name: { x: ["y"] } })] }, "items.0.name"],
  ["an empty id", { items: [{ id: "", name: "x" }] }, "items.0.id"],
  ["an id twice", { items: [anItem("a"), anItem("b"), anItem("a")] }, "items.2.id"],
  ["a field that is unknown", { items: [anItem("a", { colour: "red" })] }, "items.0"],
  ["a prototype", '{"items":[{"id":"a","__proto__":{"name":"x"}}]}', "items.0"],
])("an error of %s has its path", async (_, body, path) => {
  expect(await read(body)).toMatchObject({ errors: [{ path }] });
});

test("the first hundred errors are reported, and the rest is not checked", async () => {
  const outcome = await read({
    items: Array.from({ length: 50_000 }, () => ({ id: 7, name: 7, price: 7 })),
  });
  expect(outcome).toMatchObject({ items: [], errors: { length: 100 } });
});

test("too many items, too much nesting, too long a text and too many fields are refused", async () => {
  const many = Array.from({ length: MAX_IMPORT + 1 }, (_, index) => ({
    id: `i${index}`,
    hidden: true,
  }));
  expect(await read({ items: many })).toMatchObject({ errors: [{ path: "items" }] });
  expect(await read({ items: many.slice(1) })).toMatchObject({ errors: [] });
  expect(await read(`{"items":${"[".repeat(1_000_000)}`)).toMatchObject({ code: "malformed" });
  expect(await read(`{"x":${"[".repeat(1_000_000)}`)).toMatchObject({ code: "malformed" });
  expect(await read({ items: [anItem("a", { name: "x".repeat(1_000_000) })] })).toMatchObject({
    errors: [{ path: "items.0.name" }],
  });
  expect(await read(`{"items":[{"id":"a","price":1${"0".repeat(1_000_000)}}]}`)).toMatchObject({
    errors: [{ path: "items.0.price" }],
  });
  const fields = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`f${index}`, {}]),
  );
  expect(await read({ items: [{ id: "a", ...fields }] })).toMatchObject({
    errors: [{ path: "items.0", message: "must have at most 20 fields" }],
  });
});

const MEGABYTE = 1024 * 1024;
/** A list as large as an import may be. */
const listOf = (element: string) =>
  `[${`${element},`.repeat((16 * MEGABYTE) / (element.length + 1) - 20)}${element}]`;

test.each([
  ["deeply nested lists", `{"x":${"[".repeat(8 * MEGABYTE - 10)}${"]".repeat(8 * MEGABYTE - 10)}}`],
  ["deeply nested objects", `${'{"x":'.repeat(9)}1${"}".repeat(9)}`],
  ["many objects", `{"items":[],"x":${listOf("{}")}}`],
  ["many lists", `{"items":[],"x":${listOf("[]")}}`],
  ["many numbers", `{"items":[],"x":${listOf("1")}}`],
  ["many escaped quotes and values", `{"x":["\\"[",${listOf('"\\""')}]}`],
])("valid JSON with %s is refused before it is parsed", async (_, body) => {
  const parse = vi.spyOn(JSON, "parse");
  const outcome = await read(body);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(outcome).toMatchObject({
    code: "malformed",
    details: { detail: expect.stringContaining("at most 1000000 values, nested at most 8 deep") },
  });
});

test("a body of 50,000 items with all fields and brackets in the texts is parsed", async () => {
  const item = {
    ...anItem("mug", { description: '[[[[[[[[[[{{{"\\' }),
    image_urls: ["/b.svg", "/c.svg"],
    stock: 1,
    vat_rate: 19,
    hidden: false,
    category: "Mugs",
    variant_of: null,
    variant_name: null,
  };
  const items = Array.from({ length: MAX_IMPORT }, () => item);
  expect(await read({ items })).toMatchObject({ items: [{ id: "mug" }] });
});

async function messagesOf(changes: object): Promise<string[]> {
  const outcome = await read({ items: [anItem("a", changes)] });
  return "errors" in outcome ? outcome.errors.map(({ message }) => message) : [];
}

test("the names of unknown fields are shortened in a message", async () => {
  const [message = ""] = await messagesOf({ ["colour".repeat(MEGABYTE)]: 1 });
  expect(message).toContain('"colourcolour');
  expect(message).toHaveLength(1_000);
});

test("the schema gets only the beginning of a list, and no long text", async () => {
  const canParse = vi.spyOn(URL, "canParse");
  const long = await messagesOf({ image_url: `/${"x".repeat(MEGABYTE)}` });
  const many = await messagesOf({ image_urls: Array.from({ length: 100_000 }, () => "/a.svg") });
  const sizes = canParse.mock.calls.map(([url]) => String(url).length);
  canParse.mockRestore();
  expect(long).not.toEqual([]);
  expect(many).toEqual(["must be at most 20 pictures"]);
  expect(sizes.length).toBeLessThan(100);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8_192);
});

test("the event loop is not blocked while a large import is read", async () => {
  let turns = 0;
  let reading = true;
  const others = () => {
    turns += 1;
    if (reading) setImmediate(others);
  };
  setImmediate(others);
  const body = JSON.stringify({ items: Array.from({ length: 10_000 }, (_, i) => anItem(`i${i}`)) });
  expect(await read(body)).toMatchObject({ errors: [] });
  reading = false;
  expect(turns).toBeGreaterThan(body.length / (64 * 1024));
});

test.each(["name", "description"])(
  "a %s that is too long is refused, although its beginning would be valid",
  async (field) => {
    const long = `First words.${" ".repeat(70_000)}Last words.`;
    const result = await read({ items: [anItem("a", { [field]: long })] });
    expect(result).toMatchObject({ errors: [{ path: `items.0.${field}` }] });
  },
);
