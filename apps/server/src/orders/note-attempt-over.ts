import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";
import type { Announce } from "../outbox/outbox.ts";
import { createAmendOrder } from "./amend-order.ts";

/**
 * Stores, inside a transaction, that a payment attempt of an order is over, without changing its
 * status. The term in which the order must be paid begins again.
 *
 * @param reason names the loan, for the merchant
 */
export type NoteAttemptOver = (unit: UnitOfWork, orderId: string, reason: string) => Promise<void>;

interface Dependencies {
  readonly bus: Bus;
  readonly now: Clock;
  readonly announce: Announce;
}

/**
 * Creates {@link NoteAttemptOver}. While no other attempt begins, its end is announced once. The
 * event is `attempt-over`.
 */
export function createNoteAttemptOver({ bus, now, announce }: Dependencies): NoteAttemptOver {
  const amendOrder = createAmendOrder({ bus, now });
  return async (unit, orderId, reason) => {
    const isKnown = await isAttemptOver(unit, orderId);
    const by = { kind: "provider" } as const;
    await amendOrder(unit, { orderId, kind: "attempt-over", by, reason, set: { attempt_over: 1 } });
    if (!isKnown) await announce(unit, [{ type: "order.payment_failed", subject: orderId }]);
  };
}

async function isAttemptOver({ db }: UnitOfWork, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("attempt_over")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return row.attempt_over === 1;
}
