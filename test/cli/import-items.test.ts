import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

// With thousands of items, frequent rereads of the catalogue would slow the tests down.
const shop = useResource(() => startShop({ times: { rereadInterval: 30_000 } }));

const run = (line: string) => runCli(shop, line);
const set = (line: string) => run(`items set ${line}`);
const shown = async (): Promise<{ id: string; name: string; price: number; in_stock: unknown }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const ids = async () => (await shown()).map(({ id }) => id);
async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const file = join(shop.folder, name);
  await writeFile(file, content);
  return file;
}
const importFile = async (name: string, content: unknown) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return run(`items import ${await fileOf(name, text)}`);
};
const anItem = (id: string, changes: object = {}) => ({
  id,
  name: `Thing ${id}`,
  description: "A thing.",
  price: 1.5,
  image_url: "/pictures/moka-pot.svg",
  ...changes,
});

test("a spreadsheet is imported, and an invalid line is named and changes nothing", async () => {
  const table = "\ufeffid;name;description;price;image_url;stock\r\n";
  const good = 'csv-1;"Cup; ""blue""";"Two\r\nlines";12,50;/pictures/enamel-mug.svg;4\r\n';
  const file = await fileOf("good.csv", `${table}${good}`);
  const dry = await run(`items import ${file} --dry-run`);
  expect(dry.out).toBe(
    'added    csv-1: Cup; "blue"\n1 added, 0 changed, 0 unchanged.\nThis was a dry run: nothing was changed.\n',
  );
  expect(await ids()).not.toContain("csv-1");
  await run(`items import ${file}`);
  expect((await shown()).at(-1)).toMatchObject({ id: "csv-1", price: 12.5, in_stock: 4 });
  const bad = (price: string) =>
    importFile(
      "bad.csv",
      `${table}${good}csv-2;Bad;b;${price};/pictures/none.svg;1\ncsv-3;B;b;1;/pictures/none.svg;1\n`,
    );
  const refused = (...errors: string[]) => ({
    code: 2,
    out: "",
    err: ["The request has invalid fields.", ...errors].join("\n"),
  });
  expect(await bad("0")).toMatchObject(
    refused(
      "  line 4, price: must be an amount of dollars from 0.01 to 1000000 with at most two decimals",
    ),
  );
  // Pictures are looked up once all fields are valid.
  expect(await bad("1")).toMatchObject(
    refused(
      ...[4, 5].map(
        (line) =>
          `  line ${line}, image_url: the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address`,
      ),
    ),
  );
  const nameless = await fileOf(
    "nameless.csv",
    `${table};Blue Cup;Blue.;3;/pictures/enamel-mug.svg;\n`,
  );
  expect((await run(`items import ${nameless}`)).out).toContain("added    blue-cup: Blue Cup");
  expect((await run(`items import ${nameless}`)).out).toContain("0 added, 0 changed, 1 unchanged.");
  const missing = await fileOf(
    "missing.csv",
    "id,image_url\ncsv-1,/pictures/none.svg\nnone,/pictures/enamel-mug.svg\n",
  );
  const { code, err } = await run(`items import ${missing}`);
  expect(code).toBe(2);
  expect(err).toContain("line 2, image_url: the shop has no such picture");
  expect(err).toContain("line 3, name: is required");
  const latin = await fileOf("latin.csv", Buffer.from("id,name\ncsv-1,Caf\xe9\n", "latin1"));
  expect(await run(`items import ${latin}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not in UTF-8"),
  });
  const alike = await fileOf("alike.csv", "id,name\nCSV-1,Cup\n");
  expect((await run(`items import ${alike}`)).err).toContain(
    'line 2, id: differs from the id "csv-1"',
  );
  expect(await ids()).not.toContain("csv-2");
});

test("the exported table has no formulas, and changes nothing when it is imported", async () => {
  const formula = {
    name: "=1+1",
    description: "+SUM(A1)\n@b",
    stock: 3,
    image_urls: ["https://cdn.example/b.png"],
  };
  await callAdminApi(shop, "PATCH", withId(paths.admin.item, "desk-lamp"), formula);
  const file = join(shop.folder, "exported.csv");
  expect(await run(`items export ${file}`)).toMatchObject({ code: 0 });
  const bytes = await readFile(file);
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from("\ufeff"));
  expect(bytes.toString()).toMatch(/^desk-lamp,'=1\+1,"'\+SUM\(A1\)\n'@b",/m);
  const { out } = await run(`items import ${file}`);
  expect(out).toMatch(/^0 added, 0 changed, \d+ unchanged\.\n$/);
  expect((await run(`items export ${file}`)).code, "an existing file is not overwritten").toBe(2);
});

test.each(["csv", "json"])(
  "pieces that are sold while an exported %s is edited stay sold",
  async (ending) => {
    const file = join(shop.folder, `edited.${ending}`);
    const stockOf = async () => (await shown()).find(({ id }) => id === "desk-lamp")?.in_stock;
    await set('desk-lamp --name "Old lamp"');
    await set("desk-lamp --stock 9");
    expect(await run(`items export ${file}`)).toMatchObject({ code: 0 });
    await set("desk-lamp --stock 2");
    const edited = (await readFile(file, "utf8")).replace("Old lamp", "New lamp");
    const { out } = await run(`items import ${await fileOf(`edited-2.${ending}`, edited)}`);
    expect(out).toContain("name Old lamp → New lamp");
    expect(await stockOf()).toBe(2);
  },
);

test("an export with the stock sets it again", async () => {
  const [table, json] = [join(shop.folder, "counts.csv"), join(shop.folder, "counts.json")];
  await set("desk-lamp --stock 9");
  await run(`items export ${table} --with-stock`);
  await run(`items export ${json} --with-stock`);
  for (const file of [table, json]) {
    await set("desk-lamp --stock 2");
    expect((await run(`items import ${file}`)).out).toContain("desk-lamp: stock 2 → 9");
  }
});

test("a table with millions of commas in one line is refused with its line", async () => {
  const answer = await fetch(`${shop.url}${paths.admin.import}`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.token}`, "content-type": "text/csv" },
    body: `id,name\na,b${",".repeat(15_000_000)}`,
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    errors: [{ path: "lines.2", message: "is longer than 64 KB; is a quote missing?" }],
  });
});

test("an invalid item is refused with the place of every error, and nothing is imported", async () => {
  const { code, err } = await importFile("bad.json", [
    anItem("good"),
    anItem("bad price", { price: "1" }),
    anItem("twin"),
    anItem("twin", { image_url: "javascript:alert(1)", colour: "red" }),
  ]);
  expect(code).toBe(2);
  expect(err).toContain("item 2 (bad price), id: must be");
  expect(err).toContain("item 2 (bad price), price: ");
  expect(err).toContain("item 4 (twin), image_url: must start with https://");
  expect(err).toMatch(/item 4 \(twin\).*colour/);
  expect((await shown()).some(({ id }) => id === "good")).toBe(false);
  const direct = await callAdminApi(shop, "POST", "/api/admin/items/import", {
    items: [anItem("good"), anItem("twin"), anItem("twin")],
  });
  expect(direct).toMatchObject({ status: 422, body: { errors: [{ path: "items.2.id" }] } });
  expect((await shown()).some(({ id }) => id === "good")).toBe(false);
});

test("fields that a file does not mention are kept, and each change is shown", async () => {
  await run("items set oak-chair --hidden");
  const { out } = await importFile("mended.json", [
    { id: "oak-chair", name: "Oak Chair", price: 890 },
  ]);
  expect(out).toBe(
    "changed  oak-chair: name Oak Lounge Chair → Oak Chair\nchanged  oak-chair: price $900.00 → $890.00\n" +
      "0 added, 1 changed, 0 unchanged.\n",
  );
  expect((await run("items list")).out).toMatch(/oak-chair +\$890.00 +hidden +Oak Chair/);
  await run("items set oak-chair --no-hidden");
});

test("a dry run changes nothing, and shows the same changes", async () => {
  const file = join(shop.folder, "dry.json");
  await writeFile(file, JSON.stringify([{ id: "desk-lamp", price: 1 }, anItem("dry")]));
  const before = await shown();
  const { code, out } = await run(`items import ${file} --dry-run`);
  expect(code).toBe(0);
  expect(out).toMatch(/^changed {2}desk-lamp: price \$.* → \$1\.00$/m);
  expect(out).toContain("added    dry: Thing dry");
  expect(out).toContain("nothing was changed");
  expect(await shown()).toEqual(before);
});

test("an exported file changes nothing when it is imported again; an existing file is never overwritten", async () => {
  await run("items set field-watch --hidden");
  const file = join(shop.folder, "exported.json");
  expect(await run(`items export ${file}`)).toMatchObject({ code: 0 });
  const { items }: { items: object[] } = JSON.parse(await readFile(file, "utf8"));
  expect(items).toContainEqual(expect.objectContaining({ id: "field-watch", hidden: true }));
  expect(JSON.parse((await run("items export")).out)).toEqual({ items });
  expect((await run(`items import ${file}`)).out).toBe(
    `0 added, 0 changed, ${items.length} unchanged.\n`,
  );
  await run("items set field-watch --no-hidden");
  expect(await run(`items export ${file}`)).toMatchObject({ code: 2 });
});

test("items have the order of the last imported file", async () => {
  const file = ["order-1", "order-2", "order-3"].map((id) => anItem(id));
  await importFile("order.json", file);
  const { out } = await importFile("reversed.json", file.toReversed());
  expect(out).toContain("order of the file");
  const order = (await shown()).map(({ id }) => id).filter((id) => id.startsWith("order-"));
  expect(order).toEqual(["order-3", "order-2", "order-1"]);
});

test("a picture that the shop does not have is refused", async () => {
  const missing = await importFile("missing.json", [
    anItem("seen"),
    anItem("unseen", { image_url: "/pictures/no-such.svg" }),
  ]);
  expect(missing.code).toBe(2);
  expect(missing.err).toContain("item 2 (unseen), image_url: the shop has no such picture");
  const patched = await callAdminApi(shop, "PATCH", "/api/admin/items/moka-pot", {
    image_url: "/pictures/no-such.svg",
  });
  expect(patched).toMatchObject({ status: 422, body: { errors: [{ path: "image_url" }] } });
});

test("escape sequences of a file are not printed to the terminal", async () => {
  const { code, err } = await importFile("escapes.json", "\u001b[31m\u009b2J\u202eno json");
  expect(code).toBe(2);
  expect(err).toContain("escapes.json is not JSON");
  expect(err.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("a file must be UTF-8, with or without a byte order mark", async () => {
  const file = join(shop.folder, "encoded.json");
  const json = JSON.stringify([{ id: "moka-pot", name: "Café Pot" }], null, 1);
  await writeFile(file, json, "latin1");
  const latin = await run(`items import ${file}`);
  expect(latin.code).toBe(2);
  expect(latin.err).toMatch(/is not in UTF-8\. .*$/);
  await writeFile(file, `\ufeff${json}`);
  expect((await run(`items import ${file} --dry-run`)).out).toContain("Moka Pot → Café Pot");
});

test("a missing file and one that is not JSON are refused", async () => {
  expect(await run("items import /nowhere.json")).toMatchObject({ code: 2 });
  expect(await importFile("broken.json", "{")).toMatchObject({ code: 2 });
  expect(await importFile("number.json", "7")).toMatchObject({ code: 2 });
});

test("a large file of another format is refused quickly, with the first errors", async () => {
  const path = "/api/admin/items/import";
  const send = async (body: string) => {
    const response = await fetch(`${shop.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
      body,
    });
    const { errors = [] }: { errors?: unknown[] } = await response.json();
    return [response.status, errors.length];
  };
  expect(await send(`{"items":[${"{},".repeat(2_500_000)}{}]}`)).toEqual([400, 0]);
  expect(await send(`{"items":${"[".repeat(2_500_000)}`)).toEqual([400, 0]);
  expect(await send(`{"items":[${'{"id":1,"name":2,"price":"3"},'.repeat(50_000)}{}]}`)).toEqual([
    422, 100,
  ]);
  expect(await send("")).toEqual([400, 0]);
});

test("the sample catalogue can be imported over itself", async () => {
  const sample = await readFile(join(import.meta.dirname, "../../catalogue/items.json"), "utf8");
  expect((await importFile("sample.json", sample)).code).toBe(0);
});

// The last ones, because the other tests are faster with a small catalogue.
test("a file of thousands of items is imported in one transaction", async () => {
  const items = Array.from({ length: 10_000 }, (_, index) => anItem(`bulk-${index}`));
  const first = await importFile("bulk.json", items);
  expect(first.out).toContain("added    bulk-0: Thing bulk-0\n");
  expect(first.out).toContain("\n10000 added, 0 changed, 0 unchanged.\n");
  const again = await importFile("bulk.json", {
    items: items.map((item, index) => (index === 7 ? { ...item, price: 2 } : item)),
  });
  expect(again.out).toBe(
    "changed  bulk-7: price $1.50 → $2.00\n0 added, 1 changed, 9999 unchanged.\n",
  );
  expect(await shown()).toContainEqual(expect.objectContaining({ id: "bulk-7", price: 2 }));
  for (let hidden = 0; hidden < 10_000; hidden += 5_000) {
    await callAdminApi(shop, "POST", "/api/admin/items/import", {
      items: items.slice(hidden, hidden + 5_000).map((item) => ({ ...item, hidden: true })),
    });
  }
});

test("a table of 50,000 lines is imported", { timeout: 120_000 }, async () => {
  const lines = Array.from(
    { length: 49_999 },
    (_, index) => `row-${index},Thing ${index},A thing.,1.50,/pictures/enamel-mug.svg,true`,
  );
  const file = await fileOf(
    "rows.csv",
    ["id,name,description,price,image_url,hidden", ...lines].join("\n"),
  );
  const { out } = await run(`items import ${file}`);
  expect(out).toContain("\n49999 added, 0 changed, 0 unchanged.\n");
  // With them, an exported table would have more lines than may be imported.
  await shop.database.db.deleteFrom("items").where("id", "like", "row-%").execute();
});
