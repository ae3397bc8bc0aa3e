import { type PlantedBug, server } from "./planted-bug.ts";

/** Bugs in how orders are placed, changed and erased. */
export const bugsOfOrders: readonly PlantedBug[] = [
  {
    name: "expected_status is ignored",
    seed: 4,
    rules: ["unexpected-status"],
    edits: [
      {
        file: `${server}/orders/change-status.ts`,
        find: "else if (change.expected !== undefined && from !== change.expected)",
        replace: "else if (change.to === from)",
      },
    ],
  },
  {
    name: "an event is written after the commit",
    rules: ["broken-events"],
    edits: [
      {
        file: `${server}/orders/change-status.ts`,
        find: "await insertEvents(unit, made, at);",
        replace: "unit.afterCommit(() => void insertEvents({ db: unit.outside }, made, at));",
      },
      {
        file: `${server}/db/database.ts`,
        find: "afterCommit: (callback) => callbacks.push(callback),",
        replace: "outside: db, afterCommit: (callback) => callbacks.push(callback),",
      },
    ],
  },
  {
    name: "an idempotency key is stored after the commit",
    isSlow: true,
    rules: ["ordered-twice", "replayed-otherwise"],
    edits: [
      {
        file: `${server}/orders/place-order.ts`,
        find: "await insertOrders(unit, placed, counted);",
        replace: `await insertOrders(unit, placed.map(({ order }) => ({ order, idempotency: undefined })), counted);
          const keys = placed.flatMap(({ order, idempotency }) => idempotency === undefined ? [] : [{
            key: idempotency.key, body_hash: idempotency.bodyHash, answer: JSON.stringify({ id: order.id }), created_at: order.created_at,
          }]);
          if (keys.length > 0) unit.afterCommit(() => void db.insertInto("idempotency_keys").values(keys).execute().catch(() => {}));`,
      },
      {
        file: `${server}/orders/place-order.ts`,
        find: "{ items, now, newId, announce, onPlaced }: Dependencies,",
        replace: "{ items, now, newId, announce, onPlaced, database: { db } }: Dependencies,",
      },
    ],
  },
  {
    name: "an idempotency key is not looked up",
    rules: ["error-in-log", "ordered-twice", "replayed-otherwise"],
    edits: [
      {
        file: `${server}/orders/place-order.ts`,
        find: "if (earlier !== undefined) return repeated(earlier, bodyHash);",
        replace: "",
      },
    ],
  },
  {
    name: "a move is announced after the commit",
    rules: ["not-announced"],
    edits: [
      {
        file: `${server}/orders/change-status.ts`,
        find: "await announce(unit, made.flatMap(announcementOf));",
        replace:
          "unit.afterCommit(() => void announce({ ...unit, db: unit.outside }, made.flatMap(announcementOf)));",
      },
      {
        file: `${server}/db/database.ts`,
        find: "afterCommit: (callback) => callbacks.push(callback),",
        replace: "outside: db, afterCommit: (callback) => callbacks.push(callback),",
      },
    ],
  },
  {
    name: "a cancelled order keeps its pieces",
    rules: ["pieces-lost"],
    edits: [
      {
        file: `${server}/orders/give-back.ts`,
        find: "await giveBack(unit, sumOfPieces(lines));",
        replace: "",
      },
    ],
  },
  {
    name: "a cancelled order goes on holding the pieces that it has given back",
    isSlow: true,
    rules: ["pieces-lost"],
    edits: [
      {
        file: `${server}/orders/give-back.ts`,
        find: ".set({ taken: 0 })",
        replace: '.set((eb) => ({ taken: eb.ref("taken") }))',
      },
    ],
  },
  {
    name: "erasing leaves the shipping address",
    isSlow: true,
    rules: ["not-erased"],
    edits: [
      {
        file: `${server}/orders/personal-data.ts`,
        find: "      shipping_address: nowhere,\n",
        replace: "",
      },
    ],
  },
  {
    name: "of several orders that are indexed at once only the first is",
    seed: 2,
    rules: ["not-searchable", "change-missed"],
    edits: [
      {
        file: `${server}/orders/order-index.ts`,
        find: "orders.filter(({ id }) => !entries.has(id)),",
        replace: "orders.filter(({ id }) => !entries.has(id)).slice(0, 1),",
      },
    ],
  },
  {
    name: "only the first item of an order is in the index",
    rules: ["not-searchable"],
    edits: [
      {
        file: `${server}/orders/order-index.ts`,
        find: "...items.flatMap(({ name, item_id }) => [name, item_id])",
        replace: "...items.slice(0, 1).flatMap(({ name, item_id }) => [name, item_id])",
      },
    ],
  },
  {
    name: "a change that is indexed keeps the time of the one before",
    isSlow: true,
    rules: ["change-missed"],
    edits: [
      {
        file: `${server}/orders/order-index.ts`,
        find: ".set({ changed_at: at, counted_at: at })",
        replace:
          '.set((eb) => ({ changed_at: eb.ref("changed_at"), counted_at: eb.ref("changed_at") }))',
      },
    ],
  },
  {
    name: "what was counted of an order before is not taken out of the figures",
    rules: ["figures-wrong"],
    edits: [
      {
        file: `${server}/orders/count-orders.ts`,
        find: "changed.map(({ before }) => before),",
        replace: "changed.map(({ before }) => before.slice(1)),",
      },
    ],
  },
  {
    name: "a loan that changes is not counted again",
    seed: 3,
    rules: ["figures-wrong"],
    edits: [
      {
        file: `${server}/orders/count-orders.ts`,
        find: "  await countEntries(unit, entries);\n  await db\n",
        replace: "  await db\n",
      },
    ],
  },
  {
    name: "the changes of orders are not brought into the index",
    rules: ["not-indexed"],
    edits: [
      {
        file: `${server}/orders/order-index.ts`,
        find: "return change !== undefined || ",
        replace: "return ",
      },
    ],
  },
  {
    name: "the former words of an erased order stay in the index",
    isSlow: true,
    rules: ["erased-still-found"],
    edits: [
      {
        file: `${server}/orders/order-index.ts`,
        find: "if (former === words) return;",
        replace: "if (former === words || words.length < former.length) return;",
      },
    ],
  },
];
