import { randomUUID } from "node:crypto";
import { expectedPricesHeader, expectedTotalHeader, paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { postOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

const bought = [
  { item_id: "brass-sharpener", quantity: 1 },
  { item_id: "linen-notebook", quantity: 1 },
];
const patch = (id: string, change: object) =>
  callAdminApi(shop, "PATCH", withId(paths.admin.item, id), change);
const cart = (id: string, quantity: number) => anOrder({ items: [{ item_id: id, quantity }] });
/** What is in a problem besides its title. */
const bodyOf = async (answer: Response): Promise<unknown> => ({
  answered: answer.status,
  ...(await answer.json()),
});
const setPrice = (item: string, price: number) => patch(item, { price });
const order = (prices: string) =>
  postOrder(shop, anOrder({ items: bought }), {
    [expectedTotalHeader]: "36.00",
    [expectedPricesHeader]: prices,
  });

test("an order with other unit prices than the customer has seen is refused, also at an equal total", async () => {
  await setPrice("brass-sharpener", 13);
  await setPrice("linen-notebook", 23);
  const answer = await order("12.00,24.00");
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    code: "price_changed",
    expected_total: 36,
    total: 36,
    lines: [
      { item_id: "brass-sharpener", expected_price: 12, price: 13 },
      { item_id: "linen-notebook", expected_price: 24, price: 23 },
    ],
  });
});

test("the current unit prices place the order", async () => {
  await setPrice("brass-sharpener", 13);
  await setPrice("linen-notebook", 23);
  expect((await order("13.00,23.00")).status).toBe(201);
});

test("an order is placed only for the total that the customer saw, and a refusal has both prices of each line", async () => {
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
    title: "The prices have changed",
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
        item_id: "oak-chair",
        name: "Oak Lounge Chair",
        quantity: 2,
        available: 2,
        expected_price: 900,
        price: 950.5,
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

test("an item that has been hidden counts as a changed price if the request has the expected total", async () => {
  await patch("field-watch", { hidden: true });
  const answer = await postOrder(shop, cart("field-watch", 1), { "expected-total": "350" });
  expect(await bodyOf(answer)).toMatchObject({
    answered: 409,
    code: "price_changed",
    expected_total: 350,
    total: 0,
    lines: [
      { item_id: "field-watch", quantity: 1, available: 0, expected_price: null, price: null },
    ],
  });
  expect((await postOrder(shop, cart("field-watch", 1))).status).toBe(422);
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
  const answer = await postOrder(shop, cart("moka-pot", 1), headers);
  expect(await bodyOf(answer)).toMatchObject({ answered: 422, errors: [{ path }] });
});
