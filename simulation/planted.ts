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
  /**
   * Whether finding it takes many seeds, or a quicker one breaks the same rule. Such a bug is searched for only by
   * `npm run simulate -- --planted`.
   */
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
        find: "{ items, now, newId, announce }: Dependencies,",
        replace: "{ items, now, newId, announce, database: { db } }: Dependencies,",
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
  {
    name: "loans under way are not looked at before an order is cancelled",
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
    rules: ["expired-early"],
    edits: [
      {
        file: `${server}/payments/expire-orders.ts`,
        find: 'if (order.waitsSince >= before) return "skipped";',
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
    name: "deliveries of one order do not wait for each other",
    rules: ["told-out-of-order"],
    edits: [
      {
        file: `${server}/outbox/queue.ts`,
        find: "heads.get(subject)?.position === position;",
        replace: "heads.has(subject) || position > 0;",
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
        replace: 'if (pauses.length > 0) return { state: "delivered", answer: "" }; const pause = 1;',
      },
    ],
  },
  {
    name: "what a killed process was delivering is never taken again",
    isSlow: true,
    rules: ["not-told"],
    edits: [
      {
        file: `${server}/outbox/queue.ts`,
        find: "leased_until: until, next_at: until, attempts:",
        replace: "leased_until: until, next_at: until + 3_600_000, attempts:",
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
        find: ".set({ changed_at: at })",
        replace: '.set((eb) => ({ changed_at: eb.ref("changed_at") }))',
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
    name: "an erased order is found by its former words until it is indexed again",
    rules: ["erased-still-found"],
    edits: [
      {
        file: `${server}/payments/erase-order.ts`,
        find: "    reindexOrder,\n    (unit, orderId)",
        replace: "    (unit, orderId)",
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
  {
    name: "the process that changes a webhook goes on with what it was",
    rules: ["told-unasked", "not-announced"],
    edits: [
      {
        file: `${server}/webhooks/endpoints.ts`,
        find: 'topic: "webhooks", read',
        replace: 'topic: "stock", read',
      },
    ],
  },
  {
    name: "the address of a webhook is read once",
    rules: ["told-elsewhere"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: "const webhook = await findWebhook(db, delivery.target);",
        replace:
          "const webhook = known.get(delivery.target) ?? (await findWebhook(db, delivery.target)); known.set(delivery.target, webhook);",
      },
      {
        file: `${server}/webhooks/channel.ts`,
        find: "const noteResult = createNoteResult(dependencies);",
        replace: "const noteResult = createNoteResult(dependencies); const known = new Map();",
      },
    ],
  },
  {
    name: "the previous secret of a webhook ends at once",
    rules: ["not-signed"],
    edits: [
      {
        file: `${server}/webhooks/sign.ts`,
        find: "if (old_secret !== null && (old_secret_until ?? 0) > at) secrets.push(old_secret);",
        replace: "",
      },
    ],
  },
  {
    name: "a webhook that is gone is asked again",
    rules: ["gone-not-switched-off"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: 'if (status === GONE) return { kind: "gave-up", answer };',
        replace: "",
      },
    ],
  },
  {
    name: "a webhook that is gone stays on",
    rules: ["passed-over"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: 'return switchOff(id, "It answered 410 Gone.");',
        replace: "return;",
      },
    ],
  },
  {
    name: "a webhook that fails twice is switched off",
    rules: ["switched-off-without-cause"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: "if (isLast && since !== null && now() - since >= FAILING_FOR_LONG)",
        replace: "if (isLast || since !== null)",
      },
    ],
  },
  {
    name: "a webhook is told cents as dollars",
    isSlow: true,
    rules: ["message-wrong"],
    edits: [
      {
        file: `${server}/webhooks/payload.ts`,
        find: "{ amount: cents }",
        replace: "{ amount: Number(cents) * 100 }",
      },
    ],
  },
  {
    name: "an answer 503 of a webhook counts as success",
    isSlow: true,
    rules: ["not-told"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: "status >= 200 && status < 300",
        replace: "status >= 200 && status !== GONE",
      },
    ],
  },
];
