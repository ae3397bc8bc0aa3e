import { dollarsFromCents } from "@keepsats/domain";
import { type PlacedOrder, placedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { create } from "zustand";

/** The order that was placed, and the contract that pays it once the widget has told; amounts in cents. */
export interface PlacedOrderState {
  readonly order: PlacedOrder;
  readonly contractId?: string | undefined;
}

const storageKey = "keepsats-placed-order";
const storedSchema = z.object({ order: placedOrderSchema, contractId: z.optional(z.string()) });

const useStore = create<{ placed: PlacedOrderState | undefined }>(() => ({ placed: read() }));

/** The placed order; it survives a reload of the page, in this tab alone. */
export function usePlacedOrder(): PlacedOrderState | undefined {
  return useStore(({ placed }) => placed);
}

export function keepPlacedOrder(order: PlacedOrder): void {
  keep({ order });
}

/** Notes which contract pays the placed order; another order's is not noted. */
export function keepContract(orderId: string, contractId: string): void {
  const { placed } = useStore.getState();
  if (placed?.order.id === orderId) keep({ ...placed, contractId });
}

export function forgetPlacedOrder(): void {
  if (useStore.getState().placed !== undefined) keep(undefined);
}

/** Forgets the placed order unless a loan pays it: then it waits for its purchase to be completed. */
export function forgetUnpaidOrder(): void {
  if (useStore.getState().placed?.contractId === undefined) forgetPlacedOrder();
}

function keep(placed: PlacedOrderState | undefined): void {
  useStore.setState({ placed });
  try {
    if (placed === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(stored(placed)));
  } catch (error) {
    console.warn("The placed order cannot be kept over a reload", error);
  }
}

function stored({ order, contractId }: PlacedOrderState): z.input<typeof storedSchema> {
  return {
    order: {
      ...order,
      total_price: dollarsFromCents(order.total_price),
      items: order.items.map((line) => ({ ...line, price: dollarsFromCents(line.price) })),
    },
    contractId,
  };
}

function read(): PlacedOrderState | undefined {
  try {
    return storedSchema.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? "null")).data;
  } catch {
    return undefined;
  }
}
