import { randomUUID } from "node:crypto";
import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anOrder } from "./harness/builders.ts";
import { placeOrder, postOrder } from "./harness/customer.ts";
import { startShop } from "./harness/shop.ts";
import { merchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

const shop = useResource(() => startShop());

const patch = (id: string, change: object) =>
  merchant(shop, "PATCH", withId(paths.merchant.item, id), change);
const itemsShown = async (): Promise<{ id: string; in_stock: unknown; image_urls?: string[] }[]> =>
  (await fetch(`${shop.url}${paths.items}`)).json();
const shownStock = async (id: string) =>
  (await itemsShown()).find((item) => item.id === id)?.in_stock;
const basket = (id: string, quantity: number) => anOrder({ items: [{ item_id: id, quantity }] });
/** What is in a problem besides its title. */
const bodyOf = async (answer: Response): Promise<unknown> => ({
  answered: answer.status,
  ...(await answer.json()),
});

test("an item is sold out on the list within a second, its order is refused, and a cancellation brings it back", async () => {
  expect(await patch("enamel-mug", { stock: 2 })).toMatchObject({
    status: 200,
    body: { stock: 2 },
  });
  expect(await shownStock("enamel-mug")).toBe(2);
  const { id } = await placeOrder(shop, basket("enamel-mug", 2));
  await waitFor(
    "the list to follow",
    async () => (await shownStock("enamel-mug")) === false,
    1_000,
  );
  const answer = await postOrder(shop, basket("enamel-mug", 1));
  expect(await bodyOf(answer)).toMatchObject({
    ...{ answered: 409, code: "out_of_stock" },
    items: [{ item_id: "enamel-mug", name: "Enamel Mug", left: 0 }],
  });
  await merchant(shop, "POST", withId(paths.merchant.transitions, id), { to: "Cancelled" });
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

test("further pictures and line breaks are stored as they are, and pictures that do not exist are refused", async () => {
  const image_urls = ["/pictures/desk-lamp.svg", "https://cdn.example/b.png"];
  const changed = await patch("desk-lamp", { image_urls, description: "One.\r\n\r\nTwo.\n" });
  expect(changed).toMatchObject({ status: 200, body: { image_urls, description: "One.\n\nTwo." } });
  expect((await itemsShown()).find(({ id }) => id === "desk-lamp")).toMatchObject({
    image_urls,
    description: "One.\n\nTwo.",
  });
  for (const [wrong, path] of [
    [["/pictures/none.svg"], "image_urls.0"],
    [["javascript:alert(1)"], "image_urls.0"],
    [Array(21).fill("/pictures/desk-lamp.svg"), "image_urls"],
    ["/pictures/desk-lamp.svg", "image_urls"],
  ] as const) {
    const refused = await patch("desk-lamp", { image_urls: wrong });
    const errors = expect.arrayContaining([expect.objectContaining({ path })]);
    expect(refused).toMatchObject({ status: 422, body: { errors } });
  }
  expect(await patch("desk-lamp", { description: "a\u0007b" })).toMatchObject({ status: 422 });
});

test("an order is placed only for the total that the shopper saw, and the answer has both prices of each line", async () => {
  const body = anOrder({
    items: [
      { item_id: "moka-pot", quantity: 1 },
      { item_id: "oak-chair", quantity: 2 },
    ],
  });
  const seen = { "expected-total": "1845.00", "expected-prices": "45.00, 900" };
  const key = { "idempotency-key": randomUUID() };
  await patch("oak-chair", { price: 950.5 });
  expect(await bodyOf(await postOrder(shop, body, { ...seen, ...key }))).toEqual({
    answered: 409,
    status: 409,
    title: "The order costs something else now",
    code: "price_changed",
    expected_total: 1845,
    total: 1946,
    items: [],
    lines: [
      {
        item_id: "moka-pot",
        name: "Moka Pot",
        quantity: 1,
        available: 1,
        expected_price: 45,
        price: 45,
      },
      {
        ...{ item_id: "oak-chair", name: "Oak Lounge Chair", quantity: 2, available: 2 },
        ...{ expected_price: 900, price: 950.5 },
      },
    ],
  });
  const now = { "expected-total": "1946", "expected-prices": "45,950.50" };
  const placed = await postOrder(shop, body, { ...now, ...key });
  expect(placed.status, "the same key with the new total").toBe(201);
  const again = await postOrder(shop, body, { ...seen, ...key });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect((await again.json()).id).toBe((await placed.json()).id);
});

test("an item that was hidden meanwhile counts as a changed price for who says what was seen", async () => {
  await patch("field-watch", { hidden: true });
  const answer = await postOrder(shop, basket("field-watch", 1), { "expected-total": "350" });
  expect(await bodyOf(answer)).toMatchObject({
    ...{ answered: 409, code: "price_changed", expected_total: 350, total: 0 },
    lines: [
      { item_id: "field-watch", quantity: 1, available: 0, expected_price: null, price: null },
    ],
  });
  expect((await postOrder(shop, basket("field-watch", 1))).status).toBe(422);
  await patch("field-watch", { hidden: false });
});

test.each([
  [{ "expected-total": "$45" }, "Expected-Total"],
  [{ "expected-total": "" }, "Expected-Total"],
  [{ "expected-total": "45,00" }, "Expected-Total"],
  [{ "expected-total": "-45" }, "Expected-Total"],
  [{ "expected-total": "45.001" }, "Expected-Total"],
  [{ "expected-total": "4.5e1" }, "Expected-Total"],
  [{ "expected-total": "45", "expected-prices": "" }, "Expected-Prices"],
  [{ "expected-total": "45", "expected-prices": "45;" }, "Expected-Prices"],
  [{ "expected-total": "45", "expected-prices": "45,45" }, "Expected-Prices"],
])("the headers %j are refused", async (headers, path) => {
  const answer = await postOrder(shop, basket("moka-pot", 1), headers);
  expect(await bodyOf(answer)).toMatchObject({ answered: 422, errors: [{ path }] });
});
