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
    rules: ["paid-without-proof"],
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
    seed: 8,
    rules: ["pays-two-orders"],
    edits: [
      {
        file: `${server}/payments/settlement.ts`,
        find: "const orderId = bound?.orderId ?? loan.orderId;",
        replace:
          "if (bound?.orderId !== loan.orderId) bound = undefined; const orderId = loan.orderId;",
      },
      {
        file: `${server}/payments/loan-repository.ts`,
        find: 'conflict.column("id").doUpdateSet(changingColumns(loan))',
        replace:
          'conflict.column("id").doUpdateSet({ ...changingColumns(loan), order_id: loan.orderId })',
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
    name: "the term does not begin again after a payment attempt",
    seed: 2,
    rules: ["expired-early"],
    edits: [
      {
        file: `${server}/payments/expire-orders.ts`,
        find: 'if (order.waitsSince >= before && !isTooOld) return "skipped";',
        replace: "",
      },
    ],
  },
  {
    name: "a refund is not compared with the refundable amount",
    rules: ["refunded-too-much"],
    edits: [
      {
        file: `${server}/payments/record-refund.ts`,
        find: 'if (cents > before.refundable) return { kind: "more-than-refundable", ledger: before };',
        replace: "",
      },
    ],
  },
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
