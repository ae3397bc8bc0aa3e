import { addressFields, customerFields, mapFields } from "@keepsats/domain";
import { streamMessageSchema } from "@keepsats/protocol";
import { expect, test } from "vitest";
import type { Order } from "../orders/index.ts";
import { messageOf, type View } from "./order-message.ts";

const order: Order = {
  id: "00000000-0000-4000-8000-000000000001",
  number: "K-10023",
  status: "Pending",
  version: 3,
  payment_attempt_failed: true,
  items: [{ id: "mug", name: "Mug", price: 1_250, quantity: 2 }],
  total_price: 2_500,
  created_at: 1_751_371_200_000,
  carrier: "private carrier",
  tracking_number: "private number",
  tracking_url: "https://private.example/1",
  merchant_message: "private message",
  erased_at: null,
  client_hash: null,
  ...mapFields(customerFields, (field) => `private ${field}`),
  shipping_address: mapFields(addressFields, (field) => `private ${field}`),
  billing_address: mapFields(addressFields, (field) => `private billing ${field}`),
};
const dataFor = (view: View) => {
  const message = streamMessageSchema.parse(
    JSON.parse(messageOf({ order, paidBy: [] }, view).toString()),
  );
  if (message.type !== "order") throw new Error("no order");
  return message.data;
};

test("the message to a subscriber that may see personal data says whether it has the key", () => {
  const { version: _, client_hash: __, ...seen } = order;
  expect(dataFor("with-key")).toEqual({ ...seen, has_key: true });
  expect(dataFor("paid")).toEqual({ ...seen, has_key: false });
});

test.each([
  ["of a cancelled order to every subscriber", "Cancelled", [18.5, 18.5, 18.5]],
  ["of a paid order to subscribers with its key", "Delivered", [18.5, undefined, undefined]],
] as const)("the refunded amount is sent in dollars: %s", (_, status, expected) => {
  const refundedOrder = { order: { ...order, status }, paidBy: [], refunded: 1_850 };
  const views = ["with-key", "paid", "withheld"] as const;
  const refunded = views.map(
    (view) => JSON.parse(messageOf(refundedOrder, view).toString()).data.refunded,
  );
  expect(refunded).toEqual(expected);
});

test("other subscribers get no personal data", () => {
  expect(messageOf({ order, paidBy: [] }, "withheld").toString()).not.toMatch(/private/);
  expect(dataFor("withheld")).toMatchObject({
    id: order.id,
    status: "Pending",
    items: order.items,
    total_price: 2_500,
    withheld: true,
    has_key: false,
    ...mapFields(customerFields, () => ""),
    shipping_address: mapFields(addressFields, () => ""),
  });
});
