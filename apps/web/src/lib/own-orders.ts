import type { Cents } from "@keepsats/domain";
import { isOrderId, type PlacedOrder } from "@keepsats/protocol";
import { createContext, use } from "react";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";

const ownOrderSchema = z.object({
  id: z.string().check(z.refine(isOrderId)),
  key: z.optional(z.string()),
  created_at: z.int(),
  total_price: z.int(),
  status: z.string(),
  contractId: z.optional(z.string()),
});

/** An order that was placed in this browser. */
export interface OwnOrder {
  readonly id: string;
  /** The secret in the order's link; `undefined` once it is void. */
  readonly key?: string | undefined;
  /** In milliseconds since 1970. */
  readonly created_at: number;
  readonly total_price: Cents;
  /** The status when it was last known. */
  readonly status: string;
  /** The contract of the last payment for which the widget reported success. */
  readonly contractId?: string | undefined;
}

export interface OwnOrdersState {
  /** Newest first. */
  readonly orders: readonly OwnOrder[];
  /** False if the browser could not store an order: it is lost when the page is closed. */
  readonly areStored: boolean;
}

/** The orders that were placed in this browser, see {@link createOwnOrders}. */
export interface OwnOrders {
  readonly store: StoreApi<OwnOrdersState>;
  find(id: string): OwnOrder | undefined;
  add(order: PlacedOrder): void;
  /** Stores that the widget has reported success. Does nothing for an unknown order. */
  pay(id: string, contractId: string): void;
  /** Stores the last known status. Does nothing for an unknown order. */
  noteStatus(id: string, status: string): void;
  /** Removes a key that opens the order no longer. Does nothing if another key is stored. */
  forgetKey(id: string, key: string): void;
  forget(id: string): void;
  /** Takes back {@link OwnOrders.forget}. */
  restore(order: OwnOrder): void;
}

/**
 * The parts of the page's window that are needed. Reading `localStorage` throws where the browser
 * forbids it.
 */
export interface OrdersPage {
  readonly localStorage: Storage;
  addEventListener(type: "storage", listener: (event: StorageEvent) => void): void;
}

const prefix = "keepsats-order-";
/** Beyond this number the oldest orders are removed. */
const MAX_ORDERS = 200;

/**
 * Reads the browser's own orders and keeps them in `localStorage`, which all tabs share. Each order
 * is an entry of its own, so that tabs do not overwrite each other's orders. Once an order cannot
 * be stored, the tab keeps its orders in memory.
 *
 * @param page `undefined` where there is no window
 */
export function createOwnOrders(page: OrdersPage | undefined): OwnOrders {
  const store = createStore<OwnOrdersState>(() => ({ orders: readAll(page), areStored: true }));

  /** Shows an order in its current form. @param order `undefined`: it is forgotten */
  function show(id: string, order: OwnOrder | undefined): void {
    const others = store.getState().orders.filter((other) => other.id !== id);
    store.setState({
      orders: order === undefined ? others : [...others, order].sort(newestFirst),
    });
  }

  function put(order: OwnOrder): void {
    if (!write(page, order)) store.setState({ areStored: false });
    show(order.id, order);
  }

  function forget(id: string): void {
    remove(page, id);
    show(id, undefined);
  }

  function find(id: string): OwnOrder | undefined {
    return store.getState().orders.find((order) => order.id === id);
  }

  /** Changes what is stored, because another tab may have changed or forgotten the order. */
  function change(id: string, changes: Partial<OwnOrder>): void {
    const known = find(id);
    if (known === undefined) return;
    const current = store.getState().areStored ? readOne(page, id) : known;
    if (current === undefined) show(id, undefined);
    else put({ ...current, ...changes });
  }

  page?.addEventListener("storage", ({ key }) => {
    if (key === null) store.setState({ orders: readAll(page) });
    else if (key.startsWith(prefix)) {
      const id = key.slice(prefix.length);
      show(id, readOne(page, id));
    }
  });

  return {
    store,
    find,
    add({ id, key, created_at, total_price, status }) {
      put({ id, key, created_at, total_price, status });
      for (const old of store.getState().orders.slice(MAX_ORDERS)) forget(old.id);
    },
    pay: (id, contractId) => change(id, { contractId }),
    noteStatus(id, status) {
      if (find(id)?.status !== status) change(id, { status });
    },
    forgetKey(id, key) {
      if (find(id)?.key === key) change(id, { key: undefined });
    },
    forget,
    restore: put,
  };
}

function newestFirst(one: OwnOrder, other: OwnOrder): number {
  return other.created_at - one.created_at;
}

/** @returns newest first */
function readAll(page: OrdersPage | undefined): OwnOrder[] {
  try {
    const keys = Array.from({ length: page?.localStorage.length ?? 0 }, (_, at) =>
      page?.localStorage.key(at),
    );
    return keys
      .flatMap((key) => (key?.startsWith(prefix) && readOne(page, key.slice(prefix.length))) || [])
      .sort(newestFirst);
  } catch {
    return [];
  }
}

function readOne(page: OrdersPage | undefined, id: string): OwnOrder | undefined {
  try {
    const order = ownOrderSchema.safeParse(
      JSON.parse(page?.localStorage.getItem(prefix + id) ?? ""),
    ).data;
    return order?.id === id ? order : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the order is stored */
function write(page: OrdersPage | undefined, order: OwnOrder): boolean {
  try {
    page?.localStorage.setItem(prefix + order.id, JSON.stringify(order));
    return page !== undefined;
  } catch (error) {
    console.warn("An order cannot be stored in this browser", error);
    return false;
  }
}

function remove(page: OrdersPage | undefined, id: string): void {
  try {
    page?.localStorage.removeItem(prefix + id);
  } catch {
    // Nothing is stored where the browser forbids it.
  }
}

export const OwnOrdersContext = createContext<OwnOrders | undefined>(undefined);

export function useOwnOrders(): OwnOrders {
  const orders = use(OwnOrdersContext);
  if (orders === undefined) throw new Error("there are no own orders above this component");
  return orders;
}
