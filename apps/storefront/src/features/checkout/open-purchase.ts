import { awaitsPayment, type ItemQuantity } from "@keepsats/domain";
import { type OrderLine, orderLineSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { savedJson, saveText } from "../../lib/session-storage.ts";
import type { ChangedOrder } from "./changed-order.ts";

/** The last order that was placed in this tab, until its purchase is complete. */
export interface OpenPurchase {
  /** The id of the saved order. */
  readonly id: string;
  readonly items: OrderLine[];
  /** A loan that the widget has reported, but that does not pay the order. */
  readonly failedLoanId?: string | undefined;
  /** The cart that was ordered. Empty after a reload, which empties the cart. */
  readonly orderedCart: readonly ItemQuantity[];
}

/** An open purchase with its saved order. */
export interface PlacedPurchase extends OpenPurchase {
  readonly order: SavedOrder;
}

const storageKey = "keepsats-placed-orders";
/** Version 1.0.0 stores several purchases, and `failedLoanId` as `failedContract`. */
const storedSchema = z.array(
  z.object({
    id: z.string(),
    items: z.array(orderLineSchema),
    failedContract: z.optional(z.string()),
  }),
);

/** The open purchase of this tab. It survives a reload. */
export function createOpenPurchase() {
  const store = createStore<OpenPurchase | undefined>(read);
  store.subscribe(save);
  return store;
}

function read(): OpenPurchase | undefined {
  const stored = savedJson(storageKey, storedSchema)?.at(-1);
  if (stored === undefined) return undefined;
  const { id, items, failedContract: failedLoanId } = stored;
  return { id, items, failedLoanId, orderedCart: [] };
}

function save(purchase: OpenPurchase | undefined): void {
  if (purchase === undefined) return saveText(storageKey, undefined);
  const { id, items, failedLoanId: failedContract } = purchase;
  saveText(storageKey, JSON.stringify(z.encode(storedSchema, [{ id, items, failedContract }])));
}

/** Whether the widget has reported success, and the loan has not failed since. */
export function isReportedPaid({ order, failedLoanId }: PlacedPurchase): boolean {
  return order.loanId !== undefined && order.loanId !== failedLoanId;
}

/**
 * Whether the checkout shows the order instead of the cart. A change of the cart starts a new
 * purchase, unless the order is reported as paid. For a cancelled order there is a notice instead.
 */
export function isShown(placed: PlacedPurchase, cart: readonly ItemQuantity[]): boolean {
  if (placed.order.status === "Cancelled") return false;
  return isReportedPaid(placed) || haveSameItems(cart, placed.orderedCart);
}

/** The pieces of an unpaid order, which a new order gets if it replaces this order. */
export function heldItems(placed: PlacedPurchase | undefined): readonly OrderLine[] {
  if (placed === undefined || isReportedPaid(placed)) return [];
  const { key, status } = placed.order;
  return key !== undefined && awaitsPayment(status) ? placed.items : [];
}

/** An unpaid order that a new order can replace. */
export interface ReplaceableOrder {
  readonly id: string;
  readonly key: string;
  /** Its lines that the new order lacks. */
  readonly items: readonly OrderLine[];
}

/** The unpaid order of this tab, if it holds pieces that a new order lacks. */
export function replaceableOrder(
  placed: PlacedPurchase | undefined,
  { lines }: ChangedOrder,
): ReplaceableOrder | undefined {
  const key = placed?.order.key;
  if (placed === undefined || key === undefined) return undefined;
  const lacking = lines.filter(({ line, available }) => available < line.quantity);
  const items = heldItems(placed).filter((held) => lacking.some(({ line }) => line.id === held.id));
  return items.length === 0 ? undefined : { id: placed.id, key, items };
}

/** Ignores the order of the lines: a line that is removed and added again becomes the last one. */
function haveSameItems(cart: readonly ItemQuantity[], ordered: readonly ItemQuantity[]): boolean {
  return (
    cart.length === ordered.length &&
    cart.every(({ id, quantity }) =>
      ordered.some((line) => line.id === id && line.quantity === quantity),
    )
  );
}
