import { adminItemSchema } from "@keepsats/protocol";
import { Parser } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { csvShape } from "../../../platform/http/csv.ts";
import { cellsOf, itemColumns } from "./item-cells.ts";
import { readCsv } from "./read-csv.ts";

const MILLIONS = 4_000_000;
const HEAD = "id,name,description,price,image_url";
const read = (...lines: string[]) => readCsv(lines.join("\n"));
const itemsOf = async (text: string) => {
  const { items, errors } = await readCsv(text);
  expect(errors).toEqual([]);
  return items;
};
const mug = {
  id: "mug",
  name: "Mug",
  description: "Holds tea.",
  price: 1_250,
  image_url: "/a.svg",
};

test.each([
  ["commas", `${HEAD}\nmug,Mug,Holds tea.,12.50,/a.svg\n`],
  [
    "a byte order mark and the line ends of Windows",
    `\ufeff${HEAD}\r\nmug,Mug,Holds tea.,12.5,/a.svg\r\n`,
  ],
  [
    "semicolons and a decimal comma",
    `${HEAD.replaceAll(",", ";")}\nmug;Mug;Holds tea.;12,50;/a.svg`,
  ],
  ["tabs", `${HEAD.replaceAll(",", "\t")}\nmug\tMug\tHolds tea.\t12.50\t/a.svg`],
  [
    "quotes",
    `"id","name","description","price","image_url"\n"mug","Mug","Holds tea.","12.50","/a.svg"`,
  ],
  ["empty lines", `${HEAD}\n\n\nmug,Mug,Holds tea.,12.50,/a.svg\n\n`],
  [
    "columns in another order and in capitals",
    "Price,ID,name,Description,Image_URL\n12.5,mug,Mug,Holds tea.,/a.svg",
  ],
])("a table with %s is read", async (_what, text) => {
  expect(await itemsOf(text)).toEqual([mug]);
});

test.each(["\n", "\r\n", "\r"])(
  "a table with line ends %j and a line break in a cell is read",
  async (end) => {
    const lines = [
      HEAD,
      'mug,"Mug, ""blue""","Zwei\nZeilen 🫖",12.50,/a.svg',
      "pot,Pot,A pot.,1,/a.svg",
    ];
    expect(await readCsv(lines.join(end))).toMatchObject({
      items: [{ name: 'Mug, "blue"', description: "Zwei\nZeilen 🫖" }, { id: "pot" }],
      paths: ["lines.2", "lines.4"],
    });
  },
);

test("characters of several bytes stay whole, wherever the text is split for the parser", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, index) => `item-${index},${"x".repeat(index)}${"🫖".repeat(300)}`,
  );
  const names = (await itemsOf(["id,description", ...lines].join("\n"))).map(
    ({ description }) => description,
  );
  expect(names).toEqual(lines.map((line) => line.split(",")[1]));
});

test("line ends may be mixed", async () => {
  const text = `${HEAD}\r\nmug,Mug,Holds tea.,12.50,/a.svg\npot,Pot,A pot.,1,/a.svg\rcup,Cup,A cup.,1,/a.svg`;
  expect((await itemsOf(text)).map(({ id }) => id)).toEqual(["mug", "pot", "cup"]);
});

test("a line end that the parser gets in two parts is one line end", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `i${index}`);
  const { paths } = await readCsv(["id,name", ...lines.map((id) => `${id},${id}`)].join("\r\n"));
  expect(paths.at(-1)).toBe("lines.10001");
});

test("cells of optional columns may be empty, and fields without a column stay as they are", async () => {
  const [item] = await itemsOf("id,stock,hidden,image_urls\nmug,,,\n");
  expect(item).toEqual({ id: "mug", stock: null, hidden: false, image_urls: [] });
  const [full] = await itemsOf(
    "id,stock,hidden,image_urls\nmug,10,TRUE,/b.svg  https://x.example/c.png\n",
  );
  expect(full).toEqual({
    id: "mug",
    stock: 10,
    hidden: true,
    image_urls: ["/b.svg", "https://x.example/c.png"],
  });
});

test("empty cells of required fields leave them as they are", async () => {
  const [item, ...more] = await itemsOf(`${HEAD}\nmug,,,12.50,\npot, ,A pot.,,`);
  expect(item).toStrictEqual({ id: "mug", price: 1_250 });
  expect(more).toStrictEqual([{ id: "pot", description: "A pot." }]);
});

test("an item with an error is only reported, and one with an empty id has none", async () => {
  const result = await read(
    HEAD,
    "mug,Mug,Holds tea.,free,/a.svg",
    ",Pot,A pot.,1,/a.svg",
    "a b,Cup,A cup.,1,/a.svg",
  );
  expect(result).toMatchObject({
    errors: [{ path: "lines.2.price" }, { path: "lines.4.id" }],
    items: [{ name: "Pot" }],
    paths: ["lines.3"],
  });
  expect(result.items[0]).not.toHaveProperty("id");
});

test("every error has the first line of its record", async () => {
  const result = await read(
    "id,name,description,price,stock",
    'a,A,"one',
    'two",1,1',
    "b,B,b,free,1.5",
    "c,C,c,1",
    "d,D,d,-1,-1",
    "a,A,a,1,1",
    "d,D,d,1,1000001",
  );
  expect(result.errors.map(({ path }) => path)).toEqual([
    "lines.4.price",
    "lines.4.stock",
    "lines.5",
    "lines.6.price",
    "lines.6.stock",
    "lines.7.id",
    "lines.8.stock",
  ]);
});

test.each([
  ["an empty file", "", [["lines.1", "must name the columns"]]],
  ["no column id", "name,price\nMug,1", [["lines.1", "there is no column id"]]],
  [
    "unknown columns",
    "id,colour,id\nmug,red,x",
    [
      ["lines.1", expect.stringContaining('"colour" is not one of the columns')],
      ["lines.1", "the column id is there twice"],
    ],
  ],
  [
    "an item twice",
    "id,name\nmug,Mug\nmug,Mug",
    [["lines.3.id", "is already the id of an earlier item"]],
  ],
  [
    "an open quote",
    'id,name\nmug,"Mug\npot,Pot',
    [["lines.3", "a quote is opened and not closed"]],
  ],
  [
    "a quote in a cell",
    'id,name\nmug,"Mug"x\n',
    [["lines.2", expect.stringContaining("has a quote inside")]],
  ],
  [
    "an endless line",
    `id,name\nmug,${"x".repeat(70_000)}`,
    [["lines.2", expect.stringContaining("is longer than 64 KB")]],
  ],
  ["JSON", '{"items":[]}', expect.anything()],
  ["zeros", "\0\0\0", expect.anything()],
])("a file with %s is refused", async (_what, text, errors) => {
  const result = await readCsv(text);
  const found = result.errors.map(({ path, message }) => [path, message]);
  expect(found).toEqual(errors);
  expect(found).not.toEqual([]);
});

test("50,000 lines are read without blocking the event loop, and one more item is refused", async () => {
  const lines = Array.from(
    { length: 50_000 },
    (_, index) => `item-${index},Item ${index},"Text; of one",1.5,/a.svg`,
  );
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const result = await read(HEAD, ...lines);
  clearInterval(others);
  expect(result).toMatchObject({ errors: [], items: { length: 50_000 } });
  expect(turns).toBeGreaterThan(20);
  expect(await read(HEAD, ...lines, "one-more,One,more,1,/a.svg")).toMatchObject({
    errors: [{ path: "lines", message: "must be at most 50000 items" }],
  });
});

test.each([
  ["a row of commas", `id,name\na,b${",".repeat(MILLIONS)}`, "lines.2"],
  ["a first line of commas", `id,name${",".repeat(MILLIONS)}\na,b`, "lines.1"],
  ["an open quote before many lines", `id,name\n\na,"b${"\nx,y".repeat(MILLIONS / 4)}`, "lines.3"],
  ["quotes in quotes", `id,name\na,"${'""'.repeat(MILLIONS / 2)}"`, "lines.2"],
])("the parser gets only the beginning of %s", async (_what, text, path) => {
  const parse = vi.spyOn(Parser.prototype, "_transform");
  const result = await readCsv(text);
  const sizes = parse.mock.calls.map(([piece]) => Buffer.byteLength(piece));
  parse.mockRestore();
  expect(result).toMatchObject({
    errors: [{ path: expect.stringContaining(path) }],
  });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16 * 1024);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(80 * 1024);
});

test.each(["\n", "\r"])("many empty lines of %j do not block the event loop", async (end) => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  expect(await read("id,name", end.repeat(MILLIONS / 2), "a,b")).toMatchObject({ errors: [] });
  clearInterval(others);
  expect(turns).toBeGreaterThan(20);
});

test("an exported table has no cell that a spreadsheet runs as a formula, and is read as the same items", async () => {
  const text = fc.stringMatching(/^['=+\-@a-z",;\n＝]{0,8}[a-z]$/);
  const item = fc.record({
    id: fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,8}$/),
    name: fc.stringMatching(/^['=+\-@a-z",;＝]{0,8}[a-z]$/),
    description: text,
    price: fc.integer({ min: 1, max: 100_000_000 }),
    image_url: fc.constant("/a.svg"),
    image_urls: fc.array(fc.constantFrom("/b.svg", "https://x.example/c.png"), { maxLength: 3 }),
    stock: fc.option(fc.nat({ max: 1_000_000 })),
    vat_rate: fc.option(fc.nat({ max: 10_000 })),
    hidden: fc.boolean(),
    category: fc.constantFrom(null, "Kitchen", "=1+1"),
    variant_of: fc.constantFrom(null, "mug", "007"),
    variant_name: fc.constantFrom(null, "Small, blue", "-2"),
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(item, { selector: ({ id }) => id }), async (items) => {
      const trimmed = items.map((one) => ({ ...one, description: one.description.trim() }));
      const rows = trimmed.map((one) => cellsOf(one, itemColumns));
      for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      const csv = stringify([[...itemColumns], ...rows], { ...csvShape, bom: true });
      expect(
        (await itemsOf(csv)).map((one) =>
          adminItemSchema.parse({ ...one, price: 0, vat_rate: null }),
        ),
      ).toEqual(trimmed.map((one) => ({ ...one, price: 0, vat_rate: null })));
      expect((await itemsOf(csv)).map(({ price, vat_rate }) => [price, vat_rate])).toEqual(
        trimmed.map(({ price, vat_rate }) => [price, vat_rate]),
      );
    }),
  );
});
