import { type PlantedBug, server } from "./planted-bug.ts";

/** Bugs in what the shop makes of loans, refunds and expiry. */
export const bugsOfPayments: readonly PlantedBug[] = [
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
    name: "the amount of a loan is not compared",
    seed: 4,
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
    name: "loans under way are not looked at before an order is cancelled",
    seed: 4,
    rules: ["cancelled-with-loan"],
    edits: [
      {
        file: `${server}/payments/cancel-order.ts`,
        find: 'if (loans.some(({ standing }) => standing === "under-way" || standing === "unclear")) {',
        replace: 'if (loans.some(({ standing }) => standing === "unclear")) {',
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
    name: "an order expires at the first sweep",
    rules: ["expired-early"],
    edits: [
      {
        file: `${server}/payments/expire-orders.ts`,
        find: "(await lastSweepBegan(db, now)) - term;",
        replace: "await lastSweepBegan(db, now);",
      },
      {
        file: `${server}/payments/expire-orders.ts`,
        find: "since >= before ? [] : ",
        replace: "",
      },
    ],
  },
  {
    name: "the lease of the expiry is never free",
    isSlow: true,
    rules: ["not-expired"],
    edits: [
      {
        file: `${server}/payments/passes.ts`,
        find: "const until = now + times.pass;",
        replace: "const until = now + furthest;",
      },
      {
        file: `${server}/payments/passes.ts`,
        find: "Math.max(times.pass, times.longest) + CLOCKS_DIFFER;",
        replace: "100 * 3_600_000;",
      },
    ],
  },
  {
    name: "a refund is not compared with what is owed",
    rules: ["given-back-too-much"],
    edits: [
      {
        file: `${server}/payments/record-refund.ts`,
        find: 'if (cents > before.refundable) return { kind: "more-than-owed", ledger: before };',
        replace: "",
      },
    ],
  },
  {
    name: "what is paid too much is kept",
    isSlow: true,
    rules: ["ledger-wrong"],
    edits: [
      {
        file: `${server}/payments/ledger.ts`,
        find: "Math.max(0, Math.min(order.total, paying))",
        replace: "Math.max(0, paying)",
      },
    ],
  },
  {
    name: "an erased order is found by its former words until it is indexed again",
    seed: 4,
    rules: ["erased-still-found"],
    edits: [
      {
        file: `${server}/payments/erase-order.ts`,
        find: "    reindexOrder,\n    (unit, orderId)",
        replace: "    (unit, orderId)",
      },
    ],
  },
];
