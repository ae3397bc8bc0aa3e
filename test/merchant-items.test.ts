import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  expectedItemSchema,
  merchantItemSchema,
  merchantItemsSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { placeOrder } from "./harness/customer.ts";
import { startShop } from "./harness/shop.ts";
import { merchant, runMerchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";

// With as many items as below, the usual interval of the tests would leave no time for anything
// else.
const shop = useResource(() => startShop({ times: { reread: 30_000 } }));

/** Runs a command. @returns its exit code, and what it wrote or why it failed */
async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  const { code, out, err } = await runMerchant(shop, args);
  return { code, out: code === 0 ? out : err };
}

const mug = [
  ...["--name", "Tin Mug", "--price", "$12.50", "--description", "Holds tea.\n\nAnd more."],
  ...["--picture", "/pictures/enamel-mug.svg", "--picture", "https://cdn.example/b.png"],
  ...["--stock", "7"],
];
const shown = async (): Promise<{ id: string; price: number; in_stock: unknown }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const ids = async () => (await shown()).map(({ id }) => id);
async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const file = join(shop.folder, name);
  await writeFile(file, content);
  return file;
}

const set = (id: string, ...fields: string[]) => run(["items", "set", id, ...fields]);

test("an item is added, edited, counted and deleted; orders of it keep their lines", async () => {
  expect(await set("tin-mug", ...mug)).toEqual({
    code: 0,
    out: "added    tin-mug: Tin Mug\n1 added, 0 changed, 0 unchanged.\n",
  });
  expect((await shown()).at(-1)).toMatchObject({
    ...{ id: "tin-mug", name: "Tin Mug", price: 12.5, in_stock: 7 },
    description: "Holds tea.\n\nAnd more.",
    image_url: "/pictures/enamel-mug.svg",
    image_urls: ["https://cdn.example/b.png"],
  });
  const path = withId(paths.merchant.item, "tin-mug");
  const [tinMug] = (await shown()).slice(-1);
  const { name, description, price, image_url } = Object(tinMug);
  const item = { name, description, price, image_url };
  const add = (one: object) => merchant(shop, "PUT", path, one, { "if-none-match": "*" });
  expect(await add({ ...item, price: 99 }), "one that is new").toMatchObject({
    body: { detail: "An item has this id already." },
  });
  expect((await add(item)).status, "repeated after a lost answer").toBe(200);
  expect(await set("Tin-Mug", ...mug)).toMatchObject({
    code: 2,
    out: expect.stringContaining('"tin-mug" only in upper and lower'),
  });
  const edited = await set("tin-mug", "--price", "13", "--stock", "none", "--json");
  expect(JSON.parse(edited.out)).toMatchObject({
    changes: [
      {
        id: "tin-mug",
        fields: expect.arrayContaining([
          { field: "price", from: 12.5, to: 13 },
          { field: "stock", from: 7, to: null },
        ]),
      },
    ],
  });
  expect((await set("tin-mug", "--stock", "3")).out).toBe(
    "changed  tin-mug: stock not counted → 3\n0 added, 1 changed, 0 unchanged.\n",
  );
  expect((await run(["items", "list"])).out).toMatch(/^tin-mug +\$13\.00 +3 +Tin Mug$/m);
  const low = JSON.parse((await run(["items", "list", "--stock", "low", "--json"])).out);
  expect(low).toMatchObject([{ id: "tin-mug", stock: 3 }]);
  expect((await run(["items", "list", "--stock", "none"])).out).toBe("No items.\n");
  expect(await run(["items", "list", "--stock", "7"])).toMatchObject({
    code: 2,
    out: expect.stringContaining("argument '7' is invalid. It takes one of low, none."),
  });
  const { id } = await placeOrder(shop, { items: [{ item_id: "tin-mug", quantity: 2 }] });
  expect((await merchant(shop, "DELETE", path)).status).toBe(200);
  expect(await ids()).not.toContain("tin-mug");
  expect((await merchant(shop, "DELETE", path)).status).toBe(404);
  const order = await merchant(shop, "GET", withId(paths.merchant.order, id));
  expect(order.body).toMatchObject({ items: [{ id: "tin-mug", name: "Tin Mug", quantity: 2 }] });
  const cancelled = await merchant(shop, "POST", withId(paths.merchant.transitions, id), {
    to: "Cancelled",
  });
  expect(cancelled.status, "its pieces have no item to go back to").toBe(200);
});

test.each([
  ["x"],
  ["x", "--name", "Only a name"],
  ["a b", ...mug],
  ["desk-lamp"],
  ["desk-lamp", "--price", "1.999"],
  ["desk-lamp", "--name", ""],
  ["desk-lamp", "--picture", "javascript:alert(1)"],
  ["desk-lamp", "--picture", "/pictures/none.svg"],
  ["desk-lamp", "--stock"],
  ["desk-lamp", "--stock=-1"],
  ["desk-lamp", "--stock", "1.5"],
  ["desk-lamp", "--stock", "1e9"],
  ["desk-lamp", "--stock", "null"],
])("items set %s %s fails with exit code 2", async (id, ...fields) => {
  expect((await set(id, ...fields)).code).toBe(2);
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
    await set("desk-lamp", "--name", "Old lamp");
    await set("desk-lamp", "--stock", "9");
    expect(await run(["items", "export", file])).toMatchObject({ code: 0 });
    await set("desk-lamp", "--stock", "2");
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
  await set("desk-lamp", "--stock", "9");
  await run(["items", "export", table, "--with-stock"]);
  await run(["items", "export", json, "--with-stock"]);
  for (const file of [table, json]) {
    await set("desk-lamp", "--stock", "2");
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
