import { cartCount } from "@keepsats/domain";
import { isOrderId, type PlacedOrder } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";

const storedOrderSchema = z.object({
  id: z.string().check(z.refine(isOrderId)),
  /** The secret in the order link; absent once it is revoked. */
  key: z.optional(z.string()),
  /** In epoch milliseconds. */
  created_at: z.int(),
  /** In cents. */
  total_price: z.int(),
  /** The last known status. */
  status: z.string(),
  /** See {@link SavedOrder.loanId}. */
  contractId: z.optional(z.string()),
  /** The number of pieces. Orders that 1.0.0 stored have neither this nor the following fields. */
  item_count: z.optional(z.int()),
  /** The id of the item on the first line. */
  first_item: z.optional(z.string()),
  /** Such as `K-10023`. */
  number: z.optional(z.string()),
});
type StoredOrder = Readonly<z.output<typeof storedOrderSchema>>;

/** An order that this browser remembers. */
export interface SavedOrder extends Omit<StoredOrder, "contractId"> {
  /**
   * The loan of the last payment for which the widget reported success. In the stored JSON it is
   * `contractId`, as in the URL of the order page.
   */
  readonly loanId?: string | undefined;
}

interface SavedOrdersState {
  /** Newest first. */
  readonly orders: readonly SavedOrder[];
  /** False if the browser could not store an order: it is lost when the page is closed. */
  readonly areStored: boolean;
}

/**
 * The parts of `window` that are needed. If the browser forbids storage, `localStorage` or all of
 * its methods throw; in some web views it is `null`.
 */
export interface OrdersPage {
  readonly localStorage: Storage | null;
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
export function createSavedOrders(page: OrdersPage | undefined) {
  const storage = storageOf(page);
  const store = createStore<SavedOrdersState>(() => ({
    orders: readAll(storage),
    areStored: true,
  }));

  /** @param order `undefined` for a forgotten order */
  function show(id: string, order: SavedOrder | undefined): void {
    const others = store.getState().orders.filter((other) => other.id !== id);
    store.setState({
      orders: order === undefined ? others : [...others, order].sort(newestFirst),
    });
  }

  function put(order: SavedOrder): void {
    if (!write(storage, order)) store.setState({ areStored: false });
    show(order.id, order);
  }

  function forget(id: string): void {
    storage?.removeItem(prefix + id);
    show(id, undefined);
  }

  function find(id: string): SavedOrder | undefined {
    return store.getState().orders.find((order) => order.id === id);
  }

  /** Changes the stored order, because another tab may have changed or forgotten it. */
  function change(id: string, changes: Partial<SavedOrder>): void {
    const known = find(id);
    if (known === undefined) return;
    const current = store.getState().areStored ? readOne(storage, id) : known;
    if (current === undefined) show(id, undefined);
    else put({ ...current, ...changes });
  }

  page?.addEventListener("storage", ({ key }) => {
    if (key === null) store.setState({ orders: readAll(storage) });
    else if (key.startsWith(prefix)) {
      const id = key.slice(prefix.length);
      show(id, readOne(storage, id));
    }
  });

  return {
    store,
    find,
    add({ id, number, key, created_at, total_price, status, items }: PlacedOrder): void {
      const summary = { item_count: cartCount(items), first_item: items[0]?.id };
      put({ id, number, key, created_at, total_price, status, ...summary });
      for (const old of store.getState().orders.slice(MAX_ORDERS)) forget(old.id);
    },
    /** Stores the loan of a reported success. Does nothing for an unknown order. */
    recordLoan(id: string, loanId: string): void {
      change(id, { loanId });
    },
    /** Stores the last known status. Does nothing for an unknown order. */
    recordStatus(id: string, status: string): void {
      if (find(id)?.status !== status) change(id, { status });
    },
    /** Removes a revoked key. Does nothing if another key is stored. */
    forgetKey(id: string, key: string): void {
      if (find(id)?.key === key) change(id, { key: undefined });
    },
    forget,
    /** Undoes {@link forget}. */
    restore: put,
  };
}

function newestFirst(a: SavedOrder, b: SavedOrder): number {
  return b.created_at - a.created_at;
}

/** @returns `undefined` if the browser forbids or lacks storage */
function storageOf(page: OrdersPage | undefined): Storage | undefined {
  try {
    const storage = page?.localStorage ?? undefined;
    // Some browsers refuse only the methods.
    storage?.getItem(prefix);
    return storage;
  } catch (error) {
    console.warn("Orders cannot be stored in this browser", error);
    return undefined;
  }
}

/** @returns newest first */
function readAll(storage: Storage | undefined): SavedOrder[] {
  return Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at))
    .flatMap((key) => (key?.startsWith(prefix) && readOne(storage, key.slice(prefix.length))) || [])
    .sort(newestFirst);
}

function readOne(storage: Storage | undefined, id: string): SavedOrder | undefined {
  try {
    const stored = storedOrderSchema.parse(JSON.parse(storage?.getItem(prefix + id) ?? ""));
    const { contractId: loanId, ...order } = stored;
    return order.id === id ? { ...order, loanId } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the order is stored */
function write(storage: Storage | undefined, { loanId, ...order }: SavedOrder): boolean {
  const stored: StoredOrder = { ...order, contractId: loanId };
  try {
    storage?.setItem(prefix + order.id, JSON.stringify(stored));
    return storage !== undefined;
  } catch (error) {
    console.warn("An order cannot be stored in this browser", error);
    return false;
  }
}

export type SavedOrders = ReturnType<typeof createSavedOrders>;
export const [SavedOrdersContext, useSavedOrders] = requiredContext<SavedOrders>("saved orders");
