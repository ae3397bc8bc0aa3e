import { type PlantedBug, server } from "./planted-bug.ts";

/** Bugs in what carries orders and tells of them: database, bus, order stream and outbox. */
export const bugsElsewhere: readonly PlantedBug[] = [
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
    name: "deliveries of one order do not wait for each other",
    seed: 8,
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
        replace:
          'if (pauses.length > 0) return { state: "delivered", answer: "" }; const pause = 1;',
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
    name: "the process that changes a webhook goes on with what it was",
    rules: ["told-unasked", "not-announced"],
    edits: [
      {
        file: `${server}/webhooks/endpoints.ts`,
        find: 'topic: "webhooks",',
        replace: 'topic: "stock",',
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
    seed: 3,
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
    seed: 3,
    rules: ["passed-over"],
    edits: [
      {
        file: `${server}/webhooks/channel.ts`,
        find: 'const isOver = await switchOff(webhook, "It answered 410 Gone.");',
        replace: "const isOver = true;",
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
    name: "a webhook that has moved is switched off when its former address is gone",
    seed: 22,
    isSlow: true,
    rules: ["switched-off-without-cause"],
    edits: [
      {
        file: `${server}/webhooks/edit-webhooks.ts`,
        find: "if (row.url !== url) return false;",
        replace: "",
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
