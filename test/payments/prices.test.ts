import { expectedPricesHeader, expectedTotalHeader } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { postOrder } from "../harness/customer.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { merchant } from "../harness/staff.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

const bought = [
  { item_id: "brass-sharpener", quantity: 1 },
  { item_id: "linen-notebook", quantity: 1 },
];
const setPrice = (item: string, price: number) =>
  merchant(shop, "PATCH", `/api/merchant/items/${item}`, { price });
const order = (prices: string) =>
  postOrder(shop, anOrder({ items: bought }), {
    [expectedTotalHeader]: "36.00",
    [expectedPricesHeader]: prices,
  });

test("other unit prices than the customer has seen are asked about, also at an equal total", async () => {
  await setPrice("brass-sharpener", 13);
  await setPrice("linen-notebook", 23);
  const answer = await order("12.00,24.00");
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    code: "price_changed",
    ...{ expected_total: 36, total: 36 },
    lines: [
      { item_id: "brass-sharpener", expected_price: 12, price: 13 },
      { item_id: "linen-notebook", expected_price: 24, price: 23 },
    ],
  });
});

test("the unit prices of today place the order", async () => {
  await setPrice("brass-sharpener", 13);
  await setPrice("linen-notebook", 23);
  expect((await order("13.00,23.00")).status).toBe(201);
});
