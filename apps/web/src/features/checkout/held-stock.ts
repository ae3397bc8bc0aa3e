import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useCheckoutSession } from "./checkout-session.ts";
import { isReportedPaid, type PlacedOrderState } from "./placed-orders.ts";

/** The remaining stock of each item, see `Stock` of the basket. */
type Stock = ReadonlyMap<string, boolean | number>;

/**
 * Adds the pieces that unpaid orders of this tab hold: the checkout offers to replace these orders.
 */
export function stockWithHeld(stock: Stock, orders: readonly PlacedOrderState[]): Stock {
  const all = new Map(stock);
  for (const placed of orders) {
    if (isReportedPaid(placed) || !isUnpaid(placed)) continue;
    for (const { id, quantity } of placed.items) {
      const left = all.get(id);
      if (typeof left === "number" || left === false) all.set(id, Number(left) + quantity);
    }
  }
  return all;
}

export function useStockWithHeld(stock: Stock | undefined): Stock | undefined {
  const orders = useStore(useCheckoutSession().orders.store);
  return useMemo(() => stock && stockWithHeld(stock, orders), [stock, orders]);
}

function isUnpaid({ order: { status, key } }: PlacedOrderState): boolean {
  return key !== undefined && isOrderStatus(status) && awaitsPayment(status);
}
