import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

/**
 * A third-party client built only from the API document: it places an order, follows it and ships
 * it.
 */
const [shopUrl = "", token = ""] = process.argv.slice(2);
const shop = createClient<paths>({ baseUrl: shopUrl });
const staff = createClient<paths>({
  baseUrl: shopUrl,
  headers: { authorization: `Bearer ${token}` },
});

const items = await shop.GET("/api/items");
const item = items.data?.find(({ in_stock }) => in_stock !== false);
if (item === undefined) throw new Error("nothing is in stock");

const address = {
  street: "1 Main Street",
  city: "Springfield",
  state: "OR",
  postal_code: "01234",
  country: "USA",
};
const placed = await shop.POST("/api/orders", {
  params: {
    header: { "Idempotency-Key": crypto.randomUUID(), "Expected-Total": String(item.price) },
  },
  body: {
    items: [{ item_id: item.id, quantity: 1 }],
    customer_name: "Ada",
    customer_email: "ada@mail.example",
    shipping_address: address,
    billing_address: address,
  },
});
if (placed.data === undefined) throw new Error(`${placed.error.title}: ${placed.error.detail}`);
const { id, key, total_price } = placed.data;
console.log(JSON.stringify({ id, total_price }));

const socket = new WebSocket(
  `${shopUrl.replace("http", "ws")}/api/ws/order-status?${new URLSearchParams({ order_id: id, key })}`,
);
let last: string | null | undefined;
socket.addEventListener("message", async ({ data }) => {
  const message: components["schemas"]["OrderStreamMessage"] = JSON.parse(data);
  if (message.type !== "order" || message.data.status === last) return;
  last = message.data.status;
  console.log(JSON.stringify({ status: last, to: message.data.shipping_address.postal_code }));
  if (last === "Shipped") socket.close();
  if (last !== "PaymentProcessed") return;
  const shipped = await staff.POST("/api/admin/orders/{id}/transitions", {
    params: { path: { id } },
    body: {
      to: "Shipped",
      expected_status: last,
      carrier: "DHL",
      tracking_number: "00340434161094042557",
    },
  });
  if (shipped.error !== undefined) throw new Error(shipped.error.title);
});
