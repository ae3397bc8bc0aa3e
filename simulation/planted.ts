/** A bug that is put into the shop on purpose, and that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** The rules that it breaks. */
  readonly rules: readonly [string, ...string[]];
  /** Replacements in files of the shop; `find` must occur exactly once in its file. */
  readonly edits: readonly {
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
  /** The first seed that finds it; 1 if it is not given. */
  readonly seed?: number;
}

/** The folder of the edits. */
const server = "apps/server/src";

/** Each bug is of another kind. When a file changes, adapt its `find`. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a dispute counts as paid",
    rules: ["paid-without-proof", "payout-not-reported"],
    edits: [
      {
        file: `${server}/payments/provider/contracts-api/words.ts`,
        find: 'return states.get(status) ?? "unknown";',
        replace: 'return states.get(status) ?? (isDispute(status) ? "paid-out" : "unknown");',
      },
    ],
  },
  {
    name: "a loan is bound to whichever order it names",
    seed: 3,
    rules: ["pays-two-orders", "payout-in-two-journals"],
    edits: [
      {
        file: `${server}/payments/settled-accounts.ts`,
        find: "const orderId = stored?.orderId ?? loan.orderId;",
        replace: "const orderId = loan.orderId ?? stored?.orderId;",
      },
      {
        file: `${server}/payments/rules-consequences.ts`,
        find: "orderId: stored?.orderId ?? order?.id,",
        replace: "orderId: order?.id ?? stored?.orderId,",
      },
      {
        file: `${server}/payments/loan-repository.ts`,
        find: 'eb.fn.coalesce("loans.order_id", "excluded.order_id")',
        replace: 'eb.fn.coalesce("excluded.order_id", "loans.order_id")',
      },
    ],
  },
  {
    name: "the term does not begin again after a payment attempt",
    seed: 2,
    rules: ["expired-early"],
    edits: [
      {
        file: `${server}/payments/expiry/expire-orders.ts`,
        find: 'if (order.waitsSince >= before && !isTooOld) return "skipped";',
        replace: "",
      },
    ],
  },
  {
    name: "a refund that is sent twice is recorded twice",
    seed: 6,
    rules: ["refund-recorded-twice"],
    edits: [
      {
        file: `${server}/payments/refunds/record-refund.ts`,
        find: "idempotencyKey === undefined ? newId()",
        replace: "idempotencyKey !== null ? newId()",
      },
    ],
  },
  {
    name: "a payout that the provider takes back stays received",
    seed: 11,
    rules: ["payout-not-journaled"],
    edits: [
      {
        file: `${server}/payments/rules-after-payout.ts`,
        find: 'if (stored.state === "ended" || principal === undefined) return [];',
        replace: "return [];",
      },
    ],
  },
  {
    name: "an unknown amount counts as 0",
    seed: 8,
    rules: ["payout-not-reported", "payout-not-journaled"],
    edits: [
      {
        file: `${server}/payments/rules-payouts.ts`,
        find: "unknown: lent.cents === undefined ? 1 : 0,",
        replace: "",
      },
    ],
  },
  {
    name: "extensions are not netted",
    seed: 11,
    rules: ["extensions-miscounted"],
    edits: [
      {
        file: `${server}/payments/rules-extensions.ts`,
        find: "const count = Math.min(signs, candidates.length, loans.length - 1);",
        replace: "const count = Math.min(0, signs, candidates.length, loans.length - 1);",
      },
    ],
  },
  {
    name: "an order with money that nobody has decided about is erased",
    seed: 15,
    rules: ["erased-with-money"],
    edits: [
      {
        file: `${server}/privacy/erase-order.ts`,
        find: 'if (hasOpenMoney(balances)) return { kind: "open-money", status, balances };',
        replace: "",
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
    name: "everybody sees who has ordered",
    rules: ["people-shown"],
    edits: [
      {
        file: `${server}/order-stream/channel.ts`,
        find: 'return paid ? "paid" : "withheld";',
        replace: 'return "paid";',
      },
    ],
  },
  {
    name: "a delivery that failed counts as delivered",
    rules: ["not-told"],
    edits: [
      {
        file: `${server}/outbox/attempt.ts`,
        find: "const pause = pauses[attempts - 1];",
        replace:
          'if (pauses.length > 0) return { state: "delivered", answer: "" }; const pause = 1;',
      },
    ],
  },
];
