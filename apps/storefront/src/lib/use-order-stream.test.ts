import { expect, test } from "vitest";
import { streamUrl } from "./use-order-stream.ts";

test("the URL of the order stream names the order and requests heartbeats", () => {
  const link = { orderId: "o", loanId: "c", key: "k" };
  expect(streamUrl("https://shop.example", link).href).toBe(
    "wss://shop.example/api/ws/order-status?order_id=o&contract_id=c&key=k&heartbeat=1",
  );
});
