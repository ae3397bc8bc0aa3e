import { type Cents, cartCount } from "@keepsats/domain";
import { isOrderId, type PlacedOrder } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";

/** The stored JSON calls the loan `contractId`, as the URL of the order page does. */
const storedOrderSchema = z.object({
  id: z.string().check(z.refine(isOrderId)),
  key: z.optional(z.string()),
  created_at: z.int(),
  total_price: z.int(),
  status: z.string(),
  contractId: z.optional(z.string()),
  // Orders that 1.0.0 stored have none of these.
  item_count: z.optional(z.int()),
  first_item: z.optional(z.string()),
  number: z.optional(z.string()),
});

/** An order that this browser remembers. */
export interface SavedOrder {
  readonly id: string;
  /** The secret in the order link; `undefined` once it is revoked. */
  readonly key?: string | undefined;
  /** In epoch milliseconds. */
  readonly created_at: number;
  readonly total_price: Cents;
  /** The last known status. */
  readonly status: string;
  /** The loan of the last payment for which the widget reported success. */
  readonly loanId?: string | undefined;
  /** The number of pieces; `undefined` for an order that 1.0.0 stored. */
  readonly item_count?: number | undefined;
  /** The id of the item on the first line. */
  readonly first_item?: string | undefined;
  /** Such as `K-10023`. */
  readonly number?: string | undefined;
}

export interface SavedOrdersState {
  /** Newest first. */
  readonly orders: readonly SavedOrder[];
  /** False if the browser could not store an order: it is lost when the page is closed. */
  readonly areStored: boolean;
}

export interface SavedOrders {
  readonly store: StoreApi<SavedOrdersState>;
  find(id: string): SavedOrder | undefined;
  add(order: PlacedOrder): void;
  /** Stores the loan of a reported success. Does nothing for an unknown order. */
  recordLoan(id: string, loanId: string): void;
  /** Stores the last known status. Does nothing for an unknown order. */
  recordStatus(id: string, status: string): void;
  /** Removes a revoked key. Does nothing if another key is stored. */
  forgetKey(id: string, key: string): void;
  forget(id: string): void;
  /** Undoes {@link SavedOrders.forget}. */
  restore(order: SavedOrder): void;
}

/** The parts of `window` that are needed. `localStorage` throws if the browser forbids storage. */
export interface OrdersPage {
  readonly localStorage: Storage;
  addEventListener(type: "storage", listener: (event: StorageEvent) => void): void;
}

const prefix = "keepsats-order-";
/** The oldest orders beyond this number are removed. */
const MAX_ORDERS = 200;

/**
 * Stores the orders that were placed in this browser in `localStorage`, which all tabs share. Each
 * order has its own entry, so that tabs do not overwrite each other's orders. Once an order cannot
 * be stored, the tab keeps its orders in memory.
 *
 * @param page `undefined` while prerendering
 */
export function createSavedOrders(page: OrdersPage | undefined): SavedOrders {
  const store = createStore<SavedOrdersState>(() => ({ orders: readAll(page), areStored: true }));

  /** @param order `undefined` for a forgotten order */
  function show(id: string, order: SavedOrder | undefined): void {
    const others = store.getState().orders.filter((other) => other.id !== id);
    store.setState({
      orders: order === undefined ? others : [...others, order].sort(newestFirst),
    });
  }

  function put(order: SavedOrder): void {
    if (!write(page, order)) store.setState({ areStored: false });
    show(order.id, order);
  }

  function forget(id: string): void {
    remove(page, id);
    show(id, undefined);
  }

  function find(id: string): SavedOrder | undefined {
    return store.getState().orders.find((order) => order.id === id);
  }

  /** Changes the stored order, because another tab may have changed or forgotten it. */
  function change(id: string, changes: Partial<SavedOrder>): void {
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
    add({ id, number, key, created_at, total_price, status, items }) {
      const summary = { item_count: cartCount(items), first_item: items[0]?.id };
      put({ id, number, key, created_at, total_price, status, ...summary });
      for (const old of store.getState().orders.slice(MAX_ORDERS)) forget(old.id);
    },
    recordLoan: (id, loanId) => change(id, { loanId }),
    recordStatus(id, status) {
      if (find(id)?.status !== status) change(id, { status });
    },
    forgetKey(id, key) {
      if (find(id)?.key === key) change(id, { key: undefined });
    },
    forget,
    restore: put,
  };
}

function newestFirst(a: SavedOrder, b: SavedOrder): number {
  return b.created_at - a.created_at;
}

/** @returns newest first */
function readAll(page: OrdersPage | undefined): SavedOrder[] {
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

function readOne(page: OrdersPage | undefined, id: string): SavedOrder | undefined {
  try {
    const stored = storedOrderSchema.parse(
      JSON.parse(page?.localStorage.getItem(prefix + id) ?? ""),
    );
    const { contractId: loanId, ...order } = stored;
    return order.id === id ? { ...order, loanId } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the order is stored */
function write(page: OrdersPage | undefined, { loanId, ...order }: SavedOrder): boolean {
  const stored: z.infer<typeof storedOrderSchema> = { ...order, contractId: loanId };
  try {
    page?.localStorage.setItem(prefix + order.id, JSON.stringify(stored));
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
    // Nothing is stored if the browser forbids it.
  }
}

export const [SavedOrdersContext, useSavedOrders] = requiredContext<SavedOrders>("saved orders");
