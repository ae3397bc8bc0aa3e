import { type Cents, dollarsFromCents } from "@keepsats/domain";
import { type PlacedOrder, placedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { create } from "zustand";
import { keepText, keptText } from "../../lib/session-storage.ts";

/** An order that was placed and whose purchase is not complete; amounts in cents. */
export interface PlacedOrderState {
  readonly order: PlacedOrder;
  /** What the shopper had seen as the total, where the shop's prices had changed since. */
  readonly totalBefore?: Cents | undefined;
  /** The contract that pays it, once the widget has told. */
  readonly contractId?: string | undefined;
  /** The basket was changed after it, before a loan paid it. Its window may still be open, so a loan may come yet. */
  readonly superseded?: boolean | undefined;
  /** What it bought is in the basket. The basket is gone after a reload, and so is this. */
  readonly inBasket?: boolean;
}

const storageKey = "keepsats-placed-orders";
const MOST = 10;
const storedSchema = z.array(
  z.object({
    order: placedOrderSchema,
    totalBefore: z.optional(z.number()),
    contractId: z.optional(z.string()),
    superseded: z.optional(z.boolean()),
  }),
);

type PlacedOrders = readonly PlacedOrderState[];
const useStore = create<{ orders: PlacedOrders }>(() => ({ orders: read() }));

/** The order that the checkout shows: one that a loan pays, or else the last one, unless the basket was changed after it. */
export function usePlacedOrder(): PlacedOrderState | undefined {
  return useStore(
    ({ orders }) =>
      orders.find(({ contractId }) => contractId !== undefined) ??
      orders.findLast(({ superseded }) => superseded !== true),
  );
}

/** Notes a new order. */
export function keepPlacedOrder(order: PlacedOrder, totalBefore?: Cents): void {
  keep([...useStore.getState().orders, { order, totalBefore, inBasket: true }].slice(-MOST));
}

/** Notes which contract pays an order; of an order that was not placed here nothing is noted. */
export function keepContract(orderId: string, contractId: string): void {
  const { orders } = useStore.getState();
  keep(orders.map((placed) => (placed.order.id === orderId ? { ...placed, contractId } : placed)));
}

/** The basket is another now: what was placed before is paid already, or left behind. */
export function supersedePlacedOrders(): void {
  const { orders } = useStore.getState();
  if (orders.some(({ superseded }) => superseded !== true))
    keep(orders.map((placed) => ({ ...placed, superseded: true })));
}

/** Forgets an order: its purchase is complete. */
export function forgetPlacedOrder(orderId: string): void {
  keep(useStore.getState().orders.filter(({ order }) => order.id !== orderId));
}

function keep(orders: PlacedOrders): void {
  useStore.setState({ orders });
  keepText(storageKey, orders.length === 0 ? undefined : JSON.stringify(orders.map(stored)));
}

function stored({ order, totalBefore, contractId, superseded }: PlacedOrderState) {
  return {
    order: {
      ...order,
      total_price: dollarsFromCents(order.total_price),
      items: order.items.map((line) => ({ ...line, price: dollarsFromCents(line.price) })),
    },
    totalBefore,
    contractId,
    superseded,
  };
}

function read(): PlacedOrders {
  try {
    return storedSchema.safeParse(JSON.parse(keptText(storageKey) ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
