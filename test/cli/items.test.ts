import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { placeOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

const run = (line: string) => runCli(shop, line);
const set = (line: string) => run(`items set ${line}`);

const pictures = "--picture /pictures/enamel-mug.svg --picture https://cdn.example/b.png";
const mug = `--name "Tin Mug" --price $12.50 --stock 7 --description "Holds tea.\n\nAnd more." ${pictures}`;
const shown = async (): Promise<{ id: string; price: number; in_stock: unknown }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const ids = async () => (await shown()).map(({ id }) => id);

test("an item is added, edited, counted and deleted; orders of it keep their lines", async () => {
  expect(await set(`tin-mug ${mug}`)).toMatchObject({
    code: 0,
    err: "",
    out: "added    tin-mug: Tin Mug\n1 added, 0 changed, 0 unchanged.\n",
  });
  expect((await shown()).at(-1)).toMatchObject({
    id: "tin-mug",
    name: "Tin Mug",
    price: 12.5,
    in_stock: 7,
    description: "Holds tea.\n\nAnd more.",
    image_url: "/pictures/enamel-mug.svg",
    image_urls: ["https://cdn.example/b.png"],
  });
  const path = withId(paths.admin.item, "tin-mug");
  const [tinMug] = (await shown()).slice(-1);
  const { name, description, price, image_url } = Object(tinMug);
  const item = { name, description, price, image_url };
  const add = (one: object) => callAdminApi(shop, "PUT", path, one, { "if-none-match": "*" });
  expect(await add({ ...item, price: 99 }), "one that is new").toMatchObject({
    body: { detail: "An item already has this id." },
  });
  expect((await add(item)).status, "repeated after a lost answer").toBe(200);
  expect(await set(`Tin-Mug ${mug}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('"tin-mug" only in upper and lower'),
  });
  const edited = await set("tin-mug --price 13 --stock none --json");
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
  expect((await set("tin-mug --stock 3")).out).toBe(
    "changed  tin-mug: stock not counted → 3\n0 added, 1 changed, 0 unchanged.\n",
  );
  expect((await run("items list")).out).toMatch(/^tin-mug +\$13\.00 +3 +Tin Mug$/m);
  const low = JSON.parse((await run("items list --stock low --json")).out);
  expect(low).toMatchObject([{ id: "tin-mug", stock: 3 }]);
  expect((await run("items list --stock none")).out).toBe("No items.\n");
  expect(await run("items list --stock 7")).toMatchObject({
    code: 2,
    err: expect.stringContaining("argument '7' is invalid. Expected one of low, none."),
  });
  const { id } = await placeOrder(shop, { items: [{ item_id: "tin-mug", quantity: 2 }] });
  expect((await callAdminApi(shop, "DELETE", path)).status).toBe(200);
  expect(await ids()).not.toContain("tin-mug");
  expect((await callAdminApi(shop, "DELETE", path)).status).toBe(404);
  const order = await callAdminApi(shop, "GET", withId(paths.admin.order, id));
  expect(order.body).toMatchObject({ items: [{ id: "tin-mug", name: "Tin Mug", quantity: 2 }] });
  const cancelled = await callAdminApi(shop, "POST", withId(paths.admin.transitions, id), {
    to: "Cancelled",
  });
  expect(cancelled.status, "its pieces have no item to go back to").toBe(200);
});

test.each([
  "x",
  'x --name "Only a name"',
  `"a b" ${mug}`,
  "desk-lamp",
  "desk-lamp --price 1.999",
  'desk-lamp --name ""',
  "desk-lamp --picture javascript:alert(1)",
  "desk-lamp --picture /pictures/none.svg",
  "desk-lamp --stock",
  "desk-lamp --stock=-1",
  "desk-lamp --stock 1.5",
  "desk-lamp --stock 1e9",
  "desk-lamp --stock null",
  "desk-lamp --vat-rate 7,5",
  "desk-lamp --vat-rate 101",
])("items set %s fails with exit code 2", async (line) => {
  expect((await set(line)).code).toBe(2);
});

test("an item gets another price, is hidden and shown, and the shop shows it", async () => {
  const change = async (fields: string) => (await set(`enamel-mug ${fields}`)).out;
  expect(await change("--price 19.25")).toBe(
    "changed  enamel-mug: price $18.50 → $19.25\n0 added, 1 changed, 0 unchanged.\n",
  );
  expect(await shown()).toContainEqual(expect.objectContaining({ id: "enamel-mug", price: 19.25 }));
  expect(await change("--hidden")).toContain("enamel-mug: hidden false → true\n");
  expect((await shown()).map(({ id }) => id)).not.toContain("enamel-mug");
  expect((await run("items list")).out).toMatch(/enamel-mug +\$19.25 +hidden/);
  expect(await change("--no-hidden")).toContain("enamel-mug: hidden true → false\n");
  expect((await shown()).map(({ id }) => id)).toContain("enamel-mug");
});

test("an item gets a VAT rate of its own, which is exported, and the rate of the shop again", async () => {
  const change = async (rate: string) => (await set(`enamel-mug --vat-rate ${rate}`)).out;
  const exported = async () => (await run("items export")).out;
  expect(await exported()).not.toContain("vat_rate");
  expect(await change("7.5")).toContain("vat_rate rate of the shop → 7.5 %\n");
  expect(await exported()).toContain('"vat_rate": 7.5');
  expect(await change("19")).toContain("vat_rate 7.5 % → 19 %\n");
  expect(await change("none")).toContain("vat_rate 19 % → rate of the shop\n");
});

test.each(["1.999", "-1", "0", "free", "1e3", "1000001", ""])(
  "%j is refused as a price",
  async (price) => {
    expect(await run(`items set enamel-mug --price=${price}`)).toMatchObject({
      code: 2,
      out: "",
    });
  },
);

test("hostile names are printed without their control characters", async () => {
  await callAdminApi(shop, "PUT", "/api/admin/items/hostile", {
    name: "Pot \u200egnp\u202e.exe\u200f",
    description: "x",
    price: 1,
    image_url: "https://cdn.example/x.svg",
  });
  const { out } = await run("items list");
  expect(out).toContain("Pot \ufffdgnp.exe\ufffd");
  const cleared = await callAdminApi(shop, "PATCH", "/api/admin/items/hostile", {
    name: "\u001b[2J",
  });
  expect(cleared.status).toBe(422);
});
