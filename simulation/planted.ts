/** One replacement in a file of the shop; `find` must occur there exactly once. */
interface Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A bug that is put into the shop on purpose, and that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** The rules that it breaks. */
  readonly rules: readonly [string, ...string[]];
  readonly edits: readonly Edit[];
  /** Whether finding it takes many seeds. Such a bug is searched for only by `npm run simulate -- --planted`. */
  readonly isSlow?: boolean;
}

const server = "apps/server/src";

/** The bugs that the simulation must find within a few seeds. When a file changes, adapt its `find`. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a dispute counts as paid",
    rules: ["paid-without-proof"],
    edits: [
      {
        file: `${server}/payments/provider/contracts-api/words.ts`,
        find: 'return standings.get(status) ?? "unclear";',
        replace: 'return standings.get(status) ?? (isDispute(status) ? "paid" : "unclear");',
      },
    ],
  },
  {
    name: "expected_status is ignored",
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
    name: "a loan is bound to whichever order it names",
    rules: ["pays-two-orders"],
    edits: [
      {
        file: `${server}/payments/settlement.ts`,
        find: "const orderId = bound?.orderId ?? loan.orderId;",
        replace: "if (bound?.orderId !== loan.orderId) bound = undefined; const orderId = loan.orderId;",
      },
      {
        file: `${server}/payments/loan-repository.ts`,
        find: 'conflict.column("id").doUpdateSet(changingColumns(loan))',
        replace: 'conflict.column("id").doUpdateSet({ ...changingColumns(loan), order_id: loan.orderId })',
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
    name: "followers are told before the commit",
    rules: ["told-before-commit"],
    edits: [
      {
        file: `${server}/db/database.ts`,
        find: "afterCommit: (callback) => callbacks.push(callback),",
        replace: "afterCommit: (callback) => callback(),",
      },
    ],
  },
  {
    name: "a change during a reading is lost",
    rules: ["old-catalogue", "page-is-behind"],
    edits: [
      {
        file: `${server}/bus/coalesced-read.ts`,
        find: "while (state.stale) {",
        replace: "{",
      },
    ],
  },
  {
    name: "the amount of a loan is not compared",
    rules: ["paid-without-proof"],
    edits: [
      {
        file: `${server}/payments/mismatch.ts`,
        find: "if ((cents ?? 0) >= total) return undefined;",
        replace: "if ((cents ?? 0) > 0) return undefined;",
      },
    ],
  },
  {
    name: "a token counts as dollars",
    isSlow: true,
    rules: ["paid-without-proof"],
    edits: [
      {
        file: `${server}/payments/provider/contracts-api/words.ts`,
        find: "if (dollars.has(asset))",
        replace: 'if (dollars.has(asset) || asset.startsWith("Usdc"))',
      },
    ],
  },
  {
    name: "an extension counts as a second payment",
    isSlow: true,
    rules: ["extensions-miscounted"],
    edits: [
      {
        file: `${server}/payments/extension.ts`,
        find: "if (extended !== undefined) return {",
        replace: "if (extended?.id === loan.id) return {",
      },
    ],
  },
  {
    name: "a loan that names another order when it is paid out pays",
    isSlow: true,
    rules: ["paid-without-proof"],
    edits: [
      {
        file: `${server}/payments/payout.ts`,
        find: "if (renamed.length > 0) {",
        replace: "if (renamed.length > 9) {",
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
        find: "const lost = await claimKeys(unit, placed);",
        replace:
          "unit.afterCommit(() => void claimKeys({ db }, placed).catch(() => {})); const lost = new Set();",
      },
      {
        file: `${server}/orders/place-order.ts`,
        find: "{ pricesOf, now, newId }: Dependencies,",
        replace: "{ pricesOf, now, newId, database: { db } }: Dependencies,",
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
    name: "a refund is not recorded",
    isSlow: true,
    rules: ["refund-not-told"],
    edits: [
      {
        file: `${server}/payments/record.ts`,
        find: 'if (standing !== "paid" || extended !== undefined) continue;',
        replace: "if (extended === undefined) continue;",
      },
    ],
  },
  {
    name: "the lease of a sweep never expires",
    isSlow: true,
    rules: ["not-swept"],
    edits: [
      {
        file: `${server}/db/leases.ts`,
        find: 'eb("leases.until", "<=", now),',
        replace: 'eb("leases.until", "<", 0),',
      },
    ],
  },
  {
    name: "a sweep settles each loan once only",
    rules: ["loan-unaccounted"],
    edits: [
      {
        file: `${server}/payments/settled-loans.ts`,
        find: "known.get(loan.id) !== fingerprint(loan)",
        replace: "!known.has(loan.id)",
      },
    ],
  },
  {
    name: "everybody sees who has ordered",
    rules: ["people-shown"],
    edits: [
      {
        file: `${server}/order-stream/channel.ts`,
        find: "const whole = paid || follower.holdsKey;",
        replace: "const whole = true;",
      },
    ],
  },
];
