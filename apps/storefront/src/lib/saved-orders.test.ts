import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSavedOrders, type OrdersPage, type SavedOrders } from "./saved-orders.ts";

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const entryOf = (n: number) => `keepsats-order-${idOf(n)}`;

/** An order as in the answer of the server. Higher numbers are newer. */
function anOrder(n: number) {
  return {
    id: idOf(n),
    key: `key-${n}`,
    status: "Pending",
    items: [
      { id: "mug", name: "Mug", price: 1_000, quantity: 2 },
      { id: "pot", name: "Pot", price: 2_500, quantity: 1 },
    ],
    total_price: 4_500,
    created_at: n,
  };
}

/** A browser with several tabs. As in a real one, a change has an event in all other tabs. */
function aBrowser(entries: Record<string, string> = {}) {
  const stored = new Map(Object.entries(entries));
  const tabs: { page: OrdersPage; listener: (event: StorageEvent) => void }[] = [];
  let isFull = false;
  let listed: string[] = [];

  function openTab(): SavedOrders {
    const dispatch = (key: string | null) => {
      for (const tab of tabs) if (tab.page !== page) tab.listener({ key } as StorageEvent);
    };
    const localStorage: Storage = {
      get length() {
        return stored.size;
      },
      key(at) {
        if (at === 0) listed = [...stored.keys()];
        return listed[at] ?? null;
      },
      getItem: (key) => stored.get(key) ?? null,
      setItem(key, text) {
        if (isFull) throw new DOMException("full", "QuotaExceededError");
        stored.set(key, text);
        dispatch(key);
      },
      removeItem(key) {
        stored.delete(key);
        dispatch(key);
      },
      clear() {
        stored.clear();
        dispatch(null);
      },
    };
    const page: OrdersPage = {
      localStorage,
      addEventListener: (_, listener) => void tabs.push({ page, listener }),
    };
    return createSavedOrders(page);
  }
  return {
    stored,
    openTab,
    fill: () => {
      isFull = true;
    },
    /** In the settings of the browser. */
    clear() {
      stored.clear();
      for (const tab of tabs) tab.listener({ key: null } as StorageEvent);
    },
  };
}

const idsIn = (orders: SavedOrders) => orders.store.getState().orders.map(({ id }) => id);
const areStored = (orders: SavedOrders) => orders.store.getState().areStored;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("orders survive the tab, newest first", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  for (const n of [2, 3, 1]) tab.add(anOrder(n));
  tab.recordLoan(idOf(2), "c1");
  tab.recordStatus(idOf(2), "PaymentProcessing");
  const later = browser.openTab();
  expect(idsIn(later)).toEqual([idOf(3), idOf(2), idOf(1)]);
  expect(later.find(idOf(2))).toEqual({
    id: idOf(2),
    key: "key-2",
    status: "PaymentProcessing",
    total_price: 4_500,
    created_at: 2,
    loanId: "c1",
    item_count: 3,
    first_item: "mug",
  });
});

test("an order that 1.0.0 stored is found without number, item count and first item", () => {
  const { items: _, ...stored } = anOrder(1);
  const tab = aBrowser({ [entryOf(1)]: JSON.stringify(stored) }).openTab();
  expect(tab.find(idOf(1))).toMatchObject({ id: idOf(1), key: "key-1" });
  expect(tab.find(idOf(1))?.item_count).toBeUndefined();
});

test("all tabs show the same orders, and none undoes a change of another one", () => {
  const browser = aBrowser();
  const [tab, otherTab] = [browser.openTab(), browser.openTab()];
  tab.add(anOrder(1));
  otherTab.add(anOrder(2));
  otherTab.recordLoan(idOf(1), "c1");
  tab.recordStatus(idOf(1), "PaymentProcessed");
  expect(tab.store.getState()).toEqual(otherTab.store.getState());
  expect(otherTab.find(idOf(1))).toMatchObject({ loanId: "c1", status: "PaymentProcessed" });
  otherTab.forget(idOf(1));
  expect(idsIn(tab)).toEqual([idOf(2)]);
  browser.clear();
  expect([idsIn(tab), idsIn(otherTab)]).toEqual([[], []]);
});

test("a revoked key is forgotten, and only that key", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  tab.add(anOrder(1));
  tab.forgetKey(idOf(1), "another key");
  expect(tab.find(idOf(1))?.key).toBe("key-1");
  tab.forgetKey(idOf(1), "key-1");
  tab.forgetKey(idOf(2), "key-2");
  const left = browser.openTab().find(idOf(1));
  expect([left?.key, left?.status]).toEqual([undefined, "Pending"]);
});

test("a late status does not restore an order that another tab has forgotten", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  tab.add(anOrder(1));
  browser.stored.clear(); // The event of the other tab has not arrived yet.
  tab.recordStatus(idOf(1), "Shipped");
  expect(idsIn(tab)).toEqual([]);
  expect(browser.stored.size).toBe(0);
});

test("a forgotten order can be restored as it was", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  tab.add(anOrder(1));
  tab.recordLoan(idOf(1), "c1");
  const forgotten = tab.find(idOf(1));
  tab.forget(idOf(1));
  expect([idsIn(tab), browser.stored.size]).toEqual([[], 0]);
  if (forgotten !== undefined) tab.restore(forgotten);
  expect(browser.openTab().find(idOf(1))).toEqual(forgotten);
});

test("nothing is known or stored of an order of another browser", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  tab.recordLoan(idOf(1), "c1");
  tab.recordStatus(idOf(1), "Shipped");
  tab.forget(idOf(1));
  expect([idsIn(tab), browser.stored.size]).toEqual([[], 0]);
});

test("once the storage is full, orders are kept in memory, which the state reports", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  tab.add(anOrder(1));
  expect(areStored(tab)).toBe(true);
  browser.fill();
  tab.add(anOrder(2));
  tab.recordLoan(idOf(2), "c1");
  expect(tab.find(idOf(2))).toMatchObject({ loanId: "c1" });
  expect(areStored(tab)).toBe(false);
  tab.forget(idOf(2));
  expect(idsIn(tab)).toEqual([idOf(1)]);
});

test("in a browser that forbids or lacks storage, orders are kept in memory", () => {
  const deny = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const addEventListener = () => {};
  const forbidden: OrdersPage = {
    get localStorage() {
      return deny();
    },
    addEventListener,
  };
  const forbiddenMethods: Storage = {
    get length() {
      return deny();
    },
    key: deny,
    getItem: deny,
    setItem: deny,
    removeItem: deny,
    clear: deny,
  };
  const pages = [
    forbidden,
    { localStorage: forbiddenMethods, addEventListener },
    { localStorage: null, addEventListener },
    undefined,
  ];
  for (const page of pages) {
    const tab = createSavedOrders(page);
    expect(idsIn(tab)).toEqual([]);
    tab.add(anOrder(1));
    tab.recordStatus(idOf(1), "Shipped");
    expect(tab.find(idOf(1))?.status).toBe("Shipped");
    expect(areStored(tab)).toBe(false);
    tab.forget(idOf(1));
    expect(idsIn(tab)).toEqual([]);
  }
});

test("the loan is stored under the name that earlier versions use", () => {
  const stored = { id: idOf(1), status: "Pending", total_price: 4_500, created_at: 1 };
  const entry = JSON.stringify({ ...stored, contractId: "c1" });
  const browser = aBrowser({ [entryOf(1)]: entry });
  const tab = browser.openTab();
  expect(tab.find(idOf(1))).toEqual({ ...stored, loanId: "c1" });
  tab.recordLoan(idOf(1), "c2");
  expect(JSON.parse(browser.stored.get(entryOf(1)) ?? "")).toEqual({ ...stored, contractId: "c2" });
});

test("invalid entries are ignored and unchanged", () => {
  const good = JSON.stringify({ ...anOrder(1), items: undefined });
  const entries = {
    [entryOf(1)]: good,
    [entryOf(2)]: "",
    [entryOf(3)]: "{",
    [entryOf(4)]: "null",
    [entryOf(5)]: good,
    [entryOf(6)]: JSON.stringify({ ...anOrder(6), created_at: "yesterday" }),
    [entryOf(7)]: JSON.stringify({ ...anOrder(7), total_price: "45" }),
    "keepsats-order-": JSON.stringify(anOrder(8)),
    "keepsats-order-x": JSON.stringify({ ...anOrder(9), id: "x" }),
    "another app's": good,
  };
  const browser = aBrowser(entries);
  const tab = browser.openTab();
  expect(idsIn(tab)).toEqual([idOf(1)]);
  expect(Object.fromEntries(browser.stored)).toEqual(entries);
});

test("with 10,000 entries the newest are shown", () => {
  const entries = Array.from({ length: 10_000 }, (_, n) => [
    entryOf(n),
    JSON.stringify(anOrder(n)),
  ]);
  const tab = aBrowser(Object.fromEntries(entries)).openTab();
  expect(idsIn(tab)).toHaveLength(10_000);
  expect(idsIn(tab).slice(0, 2)).toEqual([idOf(9_999), idOf(9_998)]);
});

test("of more than 200 orders the oldest are removed", () => {
  const browser = aBrowser();
  const tab = browser.openTab();
  for (let n = 0; n < 202; n += 1) tab.add(anOrder(n));
  expect(idsIn(tab)).toHaveLength(200);
  expect(browser.stored.size).toBe(200);
  expect(tab.find(idOf(1))).toBeUndefined();
});
