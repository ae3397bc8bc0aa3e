import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  expectedItemSchema,
  merchantItemSchema,
  merchantItemsSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { merchant, placeOrder } from "./harness/client.ts";
import { runMerchant } from "./harness/run-merchant.ts";
import { type Shop, startShop } from "./harness/shop.ts";

let shop: Shop;
beforeAll(async () => {
  // With as many items as below, the usual interval of the tests would leave no time for anything
  // else.
  shop = await startShop({ times: { reread: 30_000 } });
});
afterAll(() => shop.close());

/** Runs a command. @returns its exit code, and what it wrote or why it failed */
async function run(
  args: readonly string[],
  answer?: string,
): Promise<{ code: number; out: string }> {
  const asked = answer === undefined ? {} : { answer: async () => answer };
  const { code, out, err } = await runMerchant(shop, args, asked);
  return { code, out: code === 0 ? out : err };
}

const mug = [
  ...["--name", "Tin Mug", "--price", "$12.50", "--description", "Holds tea.\n\nAnd more."],
  ...[
    "--picture",
    "/pictures/enamel-mug.svg",
    "--picture",
    "https://cdn.example/b.png",
    "--stock",
    "7",
  ],
];
const shown = async (): Promise<{ id: string; price: number; in_stock: unknown }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const ids = async () => (await shown()).map(({ id }) => id);
async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const file = join(shop.folder, name);
  await writeFile(file, content);
  return file;
}

test("an item is added, edited, counted and deleted; orders of it keep their lines", async () => {
  expect(await run(["items", "new", "tin-mug", ...mug])).toEqual({
    code: 0,
    out: "Tin Mug is on sale now.\n",
  });
  expect((await shown()).at(-1)).toMatchObject({
    ...{ id: "tin-mug", name: "Tin Mug", price: 12.5, in_stock: 7 },
    description: "Holds tea.\n\nAnd more.",
    image_url: "/pictures/enamel-mug.svg",
    image_urls: ["https://cdn.example/b.png"],
  });
  expect(await run(["items", "new", "tin-mug", ...mug])).toEqual({
    code: 4,
    out: "An item has this id already.",
  });
  const alike = await run(["items", "new", "Tin-Mug", ...mug]);
  expect(alike).toMatchObject({
    code: 2,
    out: expect.stringContaining('"tin-mug" only in upper and lower'),
  });
  const edited = await run([
    "items",
    "edit",
    "tin-mug",
    "--price",
    "13",
    "--stock",
    "none",
    "--json",
  ]);
  expect(JSON.parse(edited.out)).toMatchObject({ id: "tin-mug", price: 13, stock: null });
  expect((await run(["items", "edit", "tin-mug", "--price", "14"])).out).toBe(
    "Tin Mug is changed.\nchanged  tin-mug: price $13.00 → $14.00\n",
  );
  await run(["items", "set-price", "tin-mug", "13"]);
  expect((await run(["items", "stock", "tin-mug", "3"])).out).toBe("Tin Mug has 3 in stock now.\n");
  expect((await run(["items", "list"])).out).toMatch(/^tin-mug +\$13\.00 +3 +Tin Mug$/m);
  const low = JSON.parse((await run(["items", "list", "--stock", "low", "--json"])).out);
  expect(low).toMatchObject([{ id: "tin-mug", stock: 3 }]);
  expect((await run(["items", "list", "--stock", "none"])).out).toBe("No items.\n");
  expect(await run(["items", "list", "--stock", "7"])).toMatchObject({
    code: 2,
    out: expect.stringContaining('--stock: got "7", takes one of low, none'),
  });
  const { id } = await placeOrder(shop, { items: [{ item_id: "tin-mug", quantity: 2 }] });
  expect(await run(["items", "delete", "tin-mug"])).toMatchObject({ code: 2 });
  expect(await run(["items", "delete", "tin-mug"], "n")).toMatchObject({ code: 2 });
  expect(await ids()).toContain("tin-mug");
  expect(await run(["items", "delete", "tin-mug"], "y")).toEqual({
    code: 0,
    out: "tin-mug is deleted.\n",
  });
  expect(await ids()).not.toContain("tin-mug");
  expect(await run(["items", "delete", "tin-mug", "--yes"])).toMatchObject({ code: 3 });
  const order = await merchant(shop, "GET", withId(paths.merchant.order, id));
  expect(order.body).toMatchObject({ items: [{ id: "tin-mug", name: "Tin Mug", quantity: 2 }] });
  const cancelled = await merchant(shop, "POST", withId(paths.merchant.transitions, id), {
    to: "Cancelled",
  });
  expect(cancelled.status, "its pieces have no item to go back to").toBe(200);
});

test("a description comes from a file", async () => {
  const file = await fileOf("text.txt", "One line.\r\nAnother.\r\n");
  await run(["items", "edit", "desk-lamp", "--description-file", file]);
  const lamp = (await shown()).find(({ id }) => id === "desk-lamp");
  expect(lamp).toMatchObject({ description: "One line.\nAnother." });
});

test.each([
  [["new", "x"], 2],
  [["new", "a b", ...mug], 2],
  [["edit", "desk-lamp"], 2],
  [["edit", "desk-lamp", "--price", "1.999"], 2],
  [["edit", "desk-lamp", "--name", ""], 2],
  [["edit", "desk-lamp", "--description", "a", "--description-file", "b"], 2],
  [["edit", "desk-lamp", "--description-file", "/nowhere.txt"], 2],
  [["edit", "desk-lamp", "--picture", "javascript:alert(1)"], 2],
  [["edit", "desk-lamp", "--picture", "/pictures/none.svg"], 2],
  [["edit", "unicorn", "--price", "1"], 3],
  [["stock", "desk-lamp"], 2],
  [["stock", "desk-lamp", "--", "-1"], 2],
  [["stock", "desk-lamp", "1.5"], 2],
  [["stock", "desk-lamp", "1e9"], 2],
  [["stock", "desk-lamp", "null"], 2],
  [["stock", "unicorn", "1"], 3],
  [["move", "desk-lamp"], 2],
  [["move", "desk-lamp", "--first", "--last"], 2],
  [["move", "desk-lamp", "--before", "unicorn"], 3],
  [["move", "unicorn", "--first"], 3],
  [["fly", "desk-lamp"], 2],
])("items %j fails with exit code %i", async (args, code) => {
  expect((await run(["items", ...args])).code).toBe(code);
});

test("items are moved to an end and beside others", async () => {
  const before = await ids();
  const others = before.filter((id) => id !== "desk-lamp");
  const [first = "", second = ""] = others;
  const move = async (...place: string[]) => {
    expect(await run(["items", "move", "desk-lamp", ...place])).toMatchObject({ code: 0 });
    return ids();
  };
  expect(await move("--first")).toEqual(["desk-lamp", ...others]);
  expect(await move("--last")).toEqual([...others, "desk-lamp"]);
  expect(await move("--before", second)).toEqual([first, "desk-lamp", ...others.slice(1)]);
  expect(await move("--after", second)).toEqual([first, second, "desk-lamp", ...others.slice(2)]);
});

test("a table of a spreadsheet is imported, and a bad line is named while nothing is changed", async () => {
  const table = "\ufeffid;name;description;price;image_url;stock\r\n";
  const good = 'csv-1;"Cup; ""blue""";"Two\r\nlines";12,50;/pictures/enamel-mug.svg;4\r\n';
  const file = await fileOf("good.csv", `${table}${good}`);
  const dry = await run(["items", "import", file, "--dry-run"]);
  expect(dry.out).toBe(
    'added    csv-1: Cup; "blue"\n1 added, 0 changed, 0 unchanged.\nThis was a dry run: nothing was changed.\n',
  );
  expect(await ids()).not.toContain("csv-1");
  await run(["items", "import", file]);
  expect((await shown()).at(-1)).toMatchObject({ id: "csv-1", price: 12.5, in_stock: 4 });
  const bad = await fileOf(
    "bad.csv",
    `${table}${good}csv-2;Bad;b;0;/pictures/none.svg;1\ncsv-3;B;b;1;/pictures/none.svg;1\n`,
  );
  expect(await run(["items", "import", bad])).toEqual({
    code: 2,
    out: [
      "The request has invalid fields.",
      "  line 4, price: must be an amount of dollars from 0.01 to 1000000 with at most two decimals",
      ...[4, 5].map(
        (line) =>
          `  line ${line}, image_url: the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address`,
      ),
    ].join("\n"),
  });
  const nameless = await fileOf(
    "nameless.csv",
    `${table};Blue Cup;Blue.;3;/pictures/enamel-mug.svg;\n`,
  );
  expect((await run(["items", "import", nameless])).out).toContain("added    blue-cup: Blue Cup");
  expect((await run(["items", "import", nameless])).out).toContain(
    "0 added, 0 changed, 1 unchanged.",
  );
  const missing = await fileOf(
    "missing.csv",
    "id,image_url\ncsv-1,/pictures/none.svg\nnone,/pictures/enamel-mug.svg\n",
  );
  const { code, out } = await run(["items", "import", missing]);
  expect(code).toBe(2);
  expect(out).toContain("line 2, image_url: the shop has no such picture");
  expect(out).toContain("line 3, name: is required");
  const latin = await fileOf("latin.csv", Buffer.from("id,name\ncsv-1,Caf\xe9\n", "latin1"));
  expect(await run(["items", "import", latin])).toMatchObject({
    code: 2,
    out: expect.stringContaining("line 2 has bytes of another encoding"),
  });
  const alike = await fileOf("alike.csv", "id,name\nCSV-1,Cup\n");
  expect((await run(["items", "import", alike])).out).toContain(
    'line 2, id: differs from the id "csv-1"',
  );
  expect(await ids()).not.toContain("csv-2");
});

test("the exported table has no formulas, and is imported without a change", async () => {
  const formula = {
    name: "=1+1",
    description: "+SUM(A1)\n@b",
    stock: 3,
    image_urls: ["https://cdn.example/b.png"],
  };
  await merchant(shop, "PATCH", withId(paths.merchant.item, "desk-lamp"), formula);
  const file = join(shop.folder, "exported.csv");
  expect(await run(["items", "export", file])).toMatchObject({ code: 0 });
  const bytes = await readFile(file);
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from("\ufeff"));
  expect(bytes.toString()).toMatch(/^desk-lamp,'=1\+1,"'\+SUM\(A1\)\n'@b",/m);
  const { out } = await run(["items", "import", file]);
  expect(out).toMatch(/^0 added, 0 changed, \d+ unchanged\.\n$/);
  expect((await run(["items", "export", file])).code, "an existing file is not overwritten").toBe(
    2,
  );
});

test.each(["csv", "json"])(
  "pieces that are sold while an exported %s is edited stay sold",
  async (ending) => {
    const file = join(shop.folder, `edited.${ending}`);
    const stockOf = async () => (await shown()).find(({ id }) => id === "desk-lamp")?.in_stock;
    await run(["items", "edit", "desk-lamp", "--name", "Old lamp"]);
    await run(["items", "stock", "desk-lamp", "9"]);
    expect(await run(["items", "export", file])).toMatchObject({ code: 0 });
    await run(["items", "stock", "desk-lamp", "2"]);
    const edited = (await readFile(file, "utf8")).replace("Old lamp", "New lamp");
    const { out } = await run(["items", "import", await fileOf(`edited-2.${ending}`, edited)]);
    expect(out).toContain("name Old lamp → New lamp");
    expect(await stockOf()).toBe(2);
  },
);

test("a table with millions of commas in a row is refused with its line", async () => {
  const answer = await fetch(`${shop.url}${paths.merchant.import}`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.token}`, "content-type": "text/csv" },
    body: `id,name\na,b${",".repeat(15_000_000)}`,
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    errors: [{ path: "lines.2", message: "is longer than 64 KB; is a quote missing?" }],
  });
});

test("an export with the counts sets them", async () => {
  const [table, json] = [join(shop.folder, "counts.csv"), join(shop.folder, "counts.json")];
  await run(["items", "stock", "desk-lamp", "9"]);
  await run(["items", "export", table, "--with-stock"]);
  await run(["items", "export", json, "--with-stock"]);
  for (const file of [table, json]) {
    await run(["items", "stock", "desk-lamp", "2"]);
    expect((await run(["items", "import", file])).out).toContain("desk-lamp: stock 2 → 9");
  }
});

test("of the items on sale those are listed that are low in stock or sold out, and no hidden ones", async () => {
  const item = {
    name: "Cup",
    description: "For tea.",
    price: 9,
    image_url: "/pictures/enamel-mug.svg",
  };
  const counts = {
    few: { stock: 3 },
    none: { stock: 0 },
    many: { stock: 9 },
    uncounted: { stock: null },
  };
  const hidden = {
    "hidden-few": { stock: 3, hidden: true },
    "hidden-none": { stock: 0, hidden: true },
  };
  for (const [id, fields] of Object.entries({ ...counts, ...hidden }))
    await merchant(shop, "PUT", withId(paths.merchant.item, `cup-${id}`), { ...item, ...fields });
  const listed = async (stock: string) => {
    const { body } = await merchant(shop, "GET", `${paths.merchant.items}?stock=${stock}`);
    return merchantItemsSchema
      .parse(body)
      .items.flatMap(({ id }) => (id.startsWith("cup-") ? [id] : []));
  };
  expect(await listed("low")).toEqual(["cup-few"]);
  expect(await listed("none")).toEqual(["cup-none"]);
});

test("a table of 50,000 lines is imported", { timeout: 120_000 }, async () => {
  const lines = Array.from(
    { length: 49_999 },
    (_, index) => `bulk-${index},Thing ${index},A thing.,1.50,/pictures/enamel-mug.svg,true`,
  );
  const file = await fileOf(
    "bulk.csv",
    ["id,name,description,price,image_url,hidden", ...lines].join("\n"),
  );
  const { out } = await run(["items", "import", file]);
  expect(out).toContain("\n49999 added, 0 changed, 0 unchanged.\n");
  // With them, an exported table would have more lines than may be imported.
  await shop.database.db.deleteFrom("items").where("id", "like", "bulk-%").execute();
});

test("an edit may say what it expects, and is refused if the item is something else", async () => {
  const path = withId(paths.merchant.item, "desk-lamp");
  const name = { name: "Desk Lamp" };
  const { body } = await merchant(shop, "PATCH", path, name);
  const { id: _, ...expected } = merchantItemSchema.parse(body);
  const asRead = z.encode(expectedItemSchema, expected);
  expect(
    (await merchant(shop, "PATCH", path, { ...name, price: 71.5, expected: asRead })).status,
  ).toBe(200);
  const late = await merchant(shop, "PATCH", path, { price: 72, hidden: true, expected: asRead });
  expect(late).toMatchObject({
    status: 409,
    body: {
      code: "item_changed",
      detail: "Changed meanwhile: price. Nothing was stored; read the item again.",
    },
  });
  const { items } = merchantItemsSchema.parse(
    (await merchant(shop, "GET", paths.merchant.items)).body,
  );
  expect(items.find(({ id }) => id === "desk-lamp")).toMatchObject({ price: 7_150, hidden: false });
  expect((await merchant(shop, "PATCH", path, { expected: { colour: "red" } })).status).toBe(422);
  await merchant(shop, "PATCH", path, asRead);
});
