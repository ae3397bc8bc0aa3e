import {
  adminItemSchema,
  adminItemsSchema,
  expectedItemSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { anOrder } from "../harness/builders.ts";
import { placeOrder, postOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());

const patch = (id: string, change: object) =>
  callAdminApi(shop, "PATCH", withId(paths.admin.item, id), change);
const itemsShown = async (): Promise<{ id: string; in_stock: unknown; image_urls?: string[] }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const shownStock = async (id: string) =>
  (await itemsShown()).find((item) => item.id === id)?.in_stock;
const cart = (id: string, quantity: number) => anOrder({ items: [{ item_id: id, quantity }] });
/** The body of an answer, and its status as `answered`. */
const bodyOf = async (answer: Response): Promise<unknown> => ({
  answered: answer.status,
  ...(await answer.json()),
});

test("a sold-out item is listed as such within a second, its order is refused, and a cancellation restocks it", async () => {
  expect(await patch("enamel-mug", { stock: 2 })).toMatchObject({
    status: 200,
    body: { stock: 2 },
  });
  expect(await shownStock("enamel-mug")).toBe(2);
  const { id } = await placeOrder(shop, cart("enamel-mug", 2));
  await waitFor(
    "the list to follow",
    async () => (await shownStock("enamel-mug")) === false,
    1_000,
  );
  const answer = await postOrder(shop, cart("enamel-mug", 1));
  expect(await bodyOf(answer)).toMatchObject({
    answered: 409,
    code: "out_of_stock",
    items: [{ item_id: "enamel-mug", name: "Enamel Mug", left: 0 }],
  });
  await callAdminApi(shop, "POST", withId(paths.admin.transitions, id), { to: "Cancelled" });
  await waitFor("the list to follow", async () => (await shownStock("enamel-mug")) === 2, 1_000);
  expect(await patch("enamel-mug", { stock: null })).toMatchObject({ body: { stock: null } });
  expect(await shownStock("enamel-mug"), "an item that is not counted").toBe(true);
});

test.each([
  ["-1", 422],
  ["1.5", 422],
  ["1e9", 422],
  ['"5"', 422],
  ["true", 422],
  ["0", 200],
  ["1000000", 200],
  ["null", 200],
])("a stock of %s is answered %i", async (stock, status) => {
  expect(await patch("enamel-mug", { stock: JSON.parse(stock) })).toMatchObject({ status });
});

test("further pictures and line breaks are stored", async () => {
  const image_urls = ["/pictures/desk-lamp.svg", "https://cdn.example/b.png"];
  const changed = await patch("desk-lamp", { image_urls, description: "One.\r\n\r\nTwo.\n" });
  expect(changed).toMatchObject({ status: 200, body: { image_urls, description: "One.\n\nTwo." } });
  expect((await itemsShown()).find(({ id }) => id === "desk-lamp")).toMatchObject({
    image_urls,
    description: "One.\n\nTwo.",
  });
});

test.each([
  ["that the shop does not have", ["/pictures/none.svg"], "image_urls.0"],
  ["with a script as address", ["javascript:alert(1)"], "image_urls.0"],
  ["beyond the twentieth", Array(21).fill("/pictures/desk-lamp.svg"), "image_urls"],
  ["that are no list", "/pictures/desk-lamp.svg", "image_urls"],
])("pictures %s are refused", async (_, image_urls, path) => {
  const refused = await patch("desk-lamp", { image_urls });
  const errors = expect.arrayContaining([expect.objectContaining({ path })]);
  expect(refused).toMatchObject({ status: 422, body: { errors } });
});

test("a control character in a description is refused", async () => {
  expect(await patch("desk-lamp", { description: "a\u0007b" })).toMatchObject({ status: 422 });
});

test("items that are low in stock or sold out are listed, except hidden ones", async () => {
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
    await callAdminApi(shop, "PUT", withId(paths.admin.item, `cup-${id}`), { ...item, ...fields });
  const listed = async (stock: string) => {
    const { body } = await callAdminApi(shop, "GET", `${paths.admin.items}?stock=${stock}`);
    return adminItemsSchema
      .parse(body)
      .items.flatMap(({ id }) => (id.startsWith("cup-") ? [id] : []));
  };
  expect(await listed("low")).toEqual(["cup-few"]);
  expect(await listed("none")).toEqual(["cup-none"]);
});

test("an edit may send the expected item, and is refused if the item is different", async () => {
  const path = withId(paths.admin.item, "desk-lamp");
  const name = { name: "Desk Lamp" };
  const { body } = await callAdminApi(shop, "PATCH", path, name);
  const { id: _, ...expected } = adminItemSchema.parse(body);
  const asRead = z.encode(expectedItemSchema, expected);
  expect(
    (await callAdminApi(shop, "PATCH", path, { ...name, price: 71.5, expected: asRead })).status,
  ).toBe(200);
  const late = await callAdminApi(shop, "PATCH", path, {
    price: 72,
    hidden: true,
    expected: asRead,
  });
  expect(late).toMatchObject({
    status: 409,
    body: {
      code: "item_changed",
      detail: "Changed since it was read: price. Nothing was stored. Read the item again.",
    },
  });
  const { items } = adminItemsSchema.parse(
    (await callAdminApi(shop, "GET", paths.admin.items)).body,
  );
  expect(items.find(({ id }) => id === "desk-lamp")).toMatchObject({ price: 7_150, hidden: false });
  expect((await callAdminApi(shop, "PATCH", path, { expected: { colour: "red" } })).status).toBe(
    422,
  );
  await callAdminApi(shop, "PATCH", path, asRead);
});
