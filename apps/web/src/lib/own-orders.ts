import type { Cents } from "@keepsats/domain";
import { isOrderId, type PlacedOrder } from "@keepsats/protocol";
import { createContext, use } from "react";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";

/** The latest time that a `Date` can have, in milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;

/** Fields that only a later version knows are kept. */
const ownOrderSchema = z.looseObject({
  id: z.string().check(z.refine(isOrderId)),
  key: z.optional(z.string()),
  created_at: z.int().check(z.gte(0), z.lte(MAX_TIME)),
  total_price: z.int(),
  status: z.string(),
  contractId: z.optional(z.string()),
});

/** An order that was placed in this browser. */
export interface OwnOrder {
  readonly id: string;
  /** The secret in the order's link. Servers of earlier versions answer without it. */
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
  /** False if the browser could not store one of them: it is lost when the page is closed. */
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
 * is an entry of its own, so that tabs do not overwrite each other's orders. Entries that cannot be
 * read are left as they are. Where the browser stores nothing, the orders are kept in memory.
 *
 * @param page `undefined` where there is no window
 */
export function createOwnOrders(page: OrdersPage | undefined): OwnOrders {
  const store = createStore<OwnOrdersState>(() => ({
    orders: readAll(page).sort(newestFirst),
    areStored: true,
  }));
  /** The ids of the orders that are in memory only. */
  const unstored = new Set<string>();

  /** Shows an order in its current form. @param order `undefined`: it is forgotten */
  function show(id: string, order: OwnOrder | undefined): void {
    const others = store.getState().orders.filter((other) => other.id !== id);
    const orders = order === undefined ? others : [...others, order].sort(newestFirst);
    store.setState({ orders, areStored: unstored.size === 0 });
  }

  function put(order: OwnOrder): void {
    const isNew = unstored.has(order.id) || readOne(page, order.id) === undefined;
    if (write(page, order)) unstored.delete(order.id);
    else if (isNew) unstored.add(order.id);
    show(order.id, order);
  }

  function forget(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      unstored.delete(id);
      remove(page, id);
    }
    const orders = store.getState().orders.filter(({ id }) => !ids.has(id));
    store.setState({ orders, areStored: unstored.size === 0 });
  }

  function find(id: string): OwnOrder | undefined {
    return store.getState().orders.find((order) => order.id === id);
  }

  /** Changes what is stored, because another tab may have changed or forgotten the order. */
  function change(id: string, changes: Partial<OwnOrder>): void {
    const known = find(id);
    if (known === undefined) return;
    const current = unstored.has(id) ? known : readOne(page, id);
    if (current === undefined) show(id, undefined);
    else put({ ...current, ...changes });
  }

  page?.addEventListener("storage", ({ key }) => {
    if (key === null) {
      const inMemory = store.getState().orders.filter(({ id }) => unstored.has(id));
      store.setState({ orders: [...readAll(page), ...inMemory].sort(newestFirst) });
    } else if (key.startsWith(prefix)) {
      const id = key.slice(prefix.length);
      show(id, readOne(page, id));
    }
  });

  return {
    store,
    find,
    add({ id, key, created_at, total_price, status }) {
      put({ id, key, created_at, total_price, status });
      const old = store.getState().orders.slice(MAX_ORDERS);
      if (old.length > 0) forget(new Set(old.map((order) => order.id)));
    },
    pay: (id, contractId) => change(id, { contractId }),
    noteStatus(id, status) {
      if (find(id)?.status !== status) change(id, { status });
    },
    forgetKey(id, key) {
      if (find(id)?.key === key) change(id, { key: undefined });
    },
    forget: (id) => forget(new Set([id])),
    restore: put,
  };
}

function newestFirst(one: OwnOrder, other: OwnOrder): number {
  return other.created_at - one.created_at;
}

function readAll(page: OrdersPage | undefined): OwnOrder[] {
  try {
    const keys = Array.from({ length: page?.localStorage.length ?? 0 }, (_, at) =>
      page?.localStorage.key(at),
    );
    return keys.flatMap(
      (key) => (key?.startsWith(prefix) && readOne(page, key.slice(prefix.length))) || [],
    );
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
