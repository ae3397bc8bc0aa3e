import { randomUUID } from "node:crypto";
import { insertOrders } from "../apps/server/src/modules/orders/placing/place-order.ts";
import { createAppendEntries } from "../apps/server/src/modules/payments/journal/journal-repository.ts";
import { saveLoans } from "../apps/server/src/modules/payments/loans/loan-repository.ts";
import { newEntry } from "../apps/server/src/modules/payments/rules/index.ts";
import type { UnitOfWork } from "../apps/server/src/platform/database/database.ts";
import { aStoredLoan, aStoredOrder } from "../test/harness/builders.ts";
import type { BenchDatabase } from "./databases.ts";

const BATCH_SIZE = 1_000;
const BODY_HASH = "9mXk0a1pR4yqk0vC5c0n9mXk0a1pR4yqk0vC5c0n9mX";
/** The time of the first order; one order is placed each second. */
const BASE_TIME = 1_700_000_000_000;
const timeOf = (n: number) => BASE_TIME + n * 1_000;

const appendEntries = createAppendEntries({ now: Date.now, newId: randomUUID });

/** The id of the nth seeded order. */
export function seededId(n: number): string {
  return `${n.toString(16).padStart(8, "0")}-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** The loan of the nth seeded order. */
export const seededLoan = (n: number) => `loan-${n}`;

/**
 * Stores orders with the shop's code. Paid orders have a loan and the ids of {@link seededId}; other
 * ids are spread over the whole index. A fifth of the orders is by Ada Lovelace.
 */
export async function seedOrders(
  database: BenchDatabase,
  count: number,
  state?: "paid",
): Promise<void> {
  await database.within(async (shop) => {
    for (let first = 1; first <= count; first += BATCH_SIZE) {
      const numbers = Array.from(
        { length: Math.min(BATCH_SIZE, count + 1 - first) },
        (_, index) => first + index,
      );
      await shop.inTransaction((unit) => insertBatch(unit, numbers, state === "paid"));
    }
  });
}

async function insertBatch(
  unit: UnitOfWork,
  numbers: readonly number[],
  isPaid: boolean,
): Promise<void> {
  const orders = numbers.map((n) => {
    const name = nameOf(n);
    return aStoredOrder({
      id: seededId(isPaid ? n : (n * 2_654_435_761) % 2 ** 32),
      status: isPaid ? "PaymentProcessed" : n % 2_000 === 0 ? "Cancelled" : "Delivered",
      customer_name: n % 5 === 0 ? "Ada Lovelace" : `Anna ${name}`,
      customer_email: `${name}@example.org`,
      total_price: isPaid ? 4_500 : 1_000 + ((n * 7_919) % 100_000),
      created_at: timeOf(n),
    });
  });
  const idempotency = () => ({ key: randomUUID(), bodyHash: BODY_HASH });
  await insertOrders(
    unit,
    orders.map((order) => ({ order, idempotency: idempotency() })),
  );
  if (!isPaid) return;
  await saveLoans(
    unit,
    numbers.map((n) => aStoredLoan({ id: seededLoan(n), orderId: seededId(n) })),
  );
  await appendEntries(
    unit,
    numbers.map((n) => newEntry("received", { ...payoutOf(n), at: timeOf(n) })),
    { kind: "provider" },
    numbers.map((n) => {
      const at = timeOf(n);
      return { ...payoutOf(n), providerAmount: "45.00", paidAt: at, seenAt: at };
    }),
  );
}

function payoutOf(n: number) {
  return { orderId: seededId(n), loanId: seededLoan(n), amount: 4_500, currency: "USD" };
}

/** The name of the nth customer: three to five letters and digits. */
export function nameOf(n: number): string {
  return ((n * 48_271) % 1_000_000).toString(36);
}

/** Stores due deliveries to a webhook, one for each of the first seeded orders. */
export async function seedDeliveries(
  database: BenchDatabase,
  webhookId: string,
  count: number,
): Promise<void> {
  const now = Date.now();
  const outbox = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    channel: "webhook",
    target: webhookId,
    type: "order.paid",
    subject: seededId(index + 1),
    data: JSON.stringify({ from: "PaymentProcessing", to: "PaymentProcessed" }),
    state: "waiting" as const,
    next_at: now,
    created_at: now,
  }));
  await database.within((shop) => shop.inTransaction((unit) => unit.insertAll({ outbox })));
}

/** Items for an import. `price`: in dollars. */
export function numberedItems(count: number, price: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `numbered-${index}`,
    name: `Number ${index}`,
    description: `Item ${index} of a long catalogue, with a description of one line, as most have.`,
    price,
    image_url: "/pictures/moka-pot.svg",
  }));
}
