import { expect, test } from "vitest";
import { stockWithHeld } from "./held-stock.ts";
import type { PlacedOrderState } from "./placed-orders.ts";

function aPlaced(changes: Partial<PlacedOrderState["order"]> = {}): PlacedOrderState {
  return {
    order: { id: "a", key: "k", created_at: 1, total_price: 1, status: "Pending", ...changes },
    items: [
      { id: "mug", name: "Mug", price: 1, quantity: 2 },
      { id: "pot", name: "Pot", price: 1, quantity: 1 },
      { id: "bowl", name: "Bowl", price: 1, quantity: 1 },
      { id: "gone", name: "Gone", price: 1, quantity: 1 },
    ],
  };
}
const stock = new Map<string, boolean | number>([
  ["mug", false],
  ["pot", 3],
  ["bowl", true],
]);

test("the pieces of an unpaid order of this tab count as left", () => {
  expect([...stockWithHeld(stock, [aPlaced()])]).toEqual([
    ["mug", 2],
    ["pot", 4],
    ["bowl", true],
  ]);
});

test.each([
  ["paid", { status: "PaymentProcessed" }],
  ["cancelled", { status: "Cancelled" }],
  ["reported as paid", { contractId: "c" }],
  ["without a key", { key: undefined }],
])("those of an order that is %s do not", (_, changes) => {
  expect(stockWithHeld(stock, [aPlaced(changes)])).toEqual(stock);
});
