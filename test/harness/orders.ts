import { randomUUID } from "node:crypto";
import { anAddress } from "@keepsats/testing";
import type { StorableOrder } from "../../apps/server/src/orders/order.ts";

/** A stored order: one moka pot for 45 dollars. */
export function aStoredOrder(changes: Partial<StorableOrder> = {}): StorableOrder {
  return {
    id: randomUUID(),
    status: "Pending",
    version: 1,
    payment_attempt_over: false,
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.org",
    shipping_address: anAddress(),
    billing_address: anAddress({ city: "Ockham" }),
    total_price: 4_500,
    created_at: 1_000,
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    merchant_message: null,
    erased_at: null,
    client_hash: null,
    items: [{ id: "moka-pot", name: "Moka Pot", price: 4_500, quantity: 1 }],
    ...changes,
  };
}
