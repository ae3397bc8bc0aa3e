/** A bug that is put into the shop on purpose, and that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** The invariants of which it breaks one. */
  readonly invariants: readonly [string, ...string[]];
  /** Replacements in files of the shop; `find` must occur exactly once in its file. */
  readonly edits: readonly {
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
  /** Whether `npm test` searches for it too, because it is found within seconds. */
  readonly isQuick?: true;
}

const server = "apps/server/src";

/** When a file changes, adapt its `find`. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a dispute counts as paid",
    isQuick: true,
    invariants: ["paid-without-proof", "payout-not-reported"],
    edits: [
      {
        file: `${server}/modules/payments/provider/contracts-api/contract.ts`,
        find: 'statuses[state].includes(status)) ?? "unknown";',
        replace:
          'statuses[state].includes(status)) ?? (isDispute(status) ? "paid-out" : "unknown");',
      },
    ],
  },
  {
    name: "a loan that names another order is bound to it",
    invariants: ["pays-two-orders", "payout-in-two-journals"],
    edits: [
      {
        file: `${server}/modules/payments/loans/settlement.ts`,
        find: "const orderId = stored?.orderId ?? loan.orderId;",
        replace: "const orderId = loan.orderId ?? stored?.orderId;",
      },
      {
        file: `${server}/modules/payments/rules/reports.ts`,
        find: "orderId: stored?.orderId ?? order?.id,",
        replace: "orderId: order?.id ?? stored?.orderId,",
      },
      {
        file: `${server}/modules/payments/loans/loan-repository.ts`,
        find: 'eb.fn.coalesce("loans.order_id", "excluded.order_id")',
        replace: 'eb.fn.coalesce("excluded.order_id", "loans.order_id")',
      },
    ],
  },
  {
    name: "the payment term does not restart after a payment attempt",
    invariants: ["expired-early"],
    edits: [
      {
        file: `${server}/modules/payments/expire-orders.ts`,
        find: 'if (order.waitsSince >= before && !isTooOld) return "skipped";',
        replace: "",
      },
    ],
  },
  {
    name: "a refund that is sent twice is recorded twice",
    invariants: ["refund-recorded-twice"],
    edits: [
      {
        file: `${server}/modules/payments/refunds/refunds.ts`,
        find: "idempotencyKey === undefined ? newId()",
        replace: "idempotencyKey !== null ? newId()",
      },
    ],
  },
  {
    name: "a reversed payout stays received",
    invariants: ["payout-not-journaled"],
    edits: [
      {
        file: `${server}/modules/payments/rules/payouts.ts`,
        find: 'if (stored.state === "ended" || payout === undefined) return [];',
        replace: "return [];",
      },
    ],
  },
  {
    name: "an unknown amount counts as 0",
    isQuick: true,
    invariants: ["payout-not-reported", "payout-not-journaled"],
    edits: [
      {
        file: `${server}/modules/payments/rules/payouts.ts`,
        find: "unknown: lent.cents === undefined ? 1 : 0,",
        replace: "unknown: 0,",
      },
    ],
  },
  {
    name: "extensions are not netted",
    invariants: ["extensions-miscounted"],
    edits: [
      {
        file: `${server}/modules/payments/rules/extensions.ts`,
        find: "const count = Math.min(signs, candidates.length, loans.length - 1);",
        replace: "const count = Math.min(0, signs, candidates.length, loans.length - 1);",
      },
    ],
  },
  {
    name: "an order with open money is erased",
    isQuick: true,
    invariants: ["erased-with-money"],
    edits: [
      {
        file: `${server}/modules/privacy/erase-order.ts`,
        find: "if (hasOpenMoney(balances))",
        replace: "if (false)",
      },
    ],
  },
  {
    name: "a cancelled order is not restocked",
    invariants: ["stock-wrong"],
    edits: [
      {
        file: `${server}/modules/orders/changing/change-status.ts`,
        find: "await restock(unit, sumOfPieces(lines));",
        replace: "",
      },
    ],
  },
  {
    name: "changes are published before the commit",
    isQuick: true,
    invariants: ["emitted-before-commit"],
    edits: [
      {
        file: `${server}/platform/database/database.ts`,
        find: "afterCommit: (callback) => callbacks.push(callback),",
        replace: "afterCommit: (callback) => callback(),",
      },
    ],
  },
  {
    name: "every page shows personal data",
    isQuick: true,
    invariants: ["personal-data-shown"],
    edits: [
      {
        file: `${server}/modules/order-status/room.ts`,
        find: 'const viewWithoutKey = hasPaid ? "paid" : "withheld";',
        replace: 'const viewWithoutKey = "paid";',
      },
    ],
  },
  {
    name: "a delivery that failed counts as delivered",
    invariants: ["not-delivered"],
    edits: [
      {
        file: `${server}/platform/outbox/attempt.ts`,
        find: "const delay = retryDelays[attempts - 1];",
        replace:
          'if (retryDelays.length > 0) return { state: "delivered", answer: "" }; const delay = 1;',
      },
    ],
  },
];
