import { randomUUID } from "node:crypto";
import type { OrderStatus } from "@keepsats/domain";
import { anAddress } from "@keepsats/testing";
import type { Order } from "../../apps/server/src/orders/order.ts";

/** A stored order: one moka pot for 45 dollars. */
export function aStoredOrder(changes: Partial<Order> = {}): Order {
  return {
    id: randomUUID(),
    status: "Pending" satisfies OrderStatus,
    version: 1,
    attemptOver: false,
    customerName: "Ada Lovelace",
    customerEmail: "ada@example.org",
    shippingAddress: anAddress(),
    billingAddress: anAddress({ city: "Ockham" }),
    total: 4_500,
    createdAt: 1_000,
    lines: [{ id: "moka-pot", name: "Moka Pot", price: 4_500, quantity: 1 }],
    ...changes,
  };
}
