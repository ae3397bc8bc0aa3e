import { randomUUID } from "node:crypto";
import { anAddress } from "@keepsats/testing";

/** The rows of one order, as the shop stores them: order, line, first event, and the answer under its key. */
export function orderRows() {
  const id = randomUUID();
  const now = Date.now();
  const address = JSON.stringify(anAddress());
  const answer = JSON.stringify({
    id,
    status: "Pending",
    items: [{ id: "moka-pot", name: "Moka Pot", price: 45, quantity: 1 }],
    total_price: 45,
    created_at: Math.floor(now / 1000),
  });
  return {
    order: [id, "Pending", 1, 0, "Ada Lovelace", "ada@example.org", address, address, 4500, now],
    line: [id, 0, "moka-pot", "Moka Pot", 4500, 1],
    event: [id, 1, null, "Pending", "shopper", null, now],
    key: [randomUUID(), "9mXk0a1pR4yqk0vC5c0n9mXk0a1pR4yqk0vC5c0n9mX", answer, now],
  };
}
