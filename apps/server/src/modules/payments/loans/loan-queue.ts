import type { ExpressionBuilder } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { MINUTE } from "../../../platform/scheduling/clock.ts";
import { isUnresolved } from "../issues/issue-repository.ts";

// The queue of loans that were presented for orders: the table `payment_checks`.

/**
 * The result of the last check of a loan. `waiting`: there was none. `seen`: the provider has the
 * loan, and it is bound to the order. `absent`: the provider has no such loan. `refused`: it has
 * the loan, which is not for this order. `unreachable`: it gave no usable answer.
 */
export type CheckOutcome = (typeof checkOutcomes)[number];

const checkOutcomes = ["waiting", "seen", "refused", "absent", "unreachable"] as const;

/** Identifies the check of a loan that was presented for an order. */
export interface LoanCheckId {
  readonly orderId: string;
  readonly loanId: string;
}

export interface PresentedLoan extends LoanCheckId {
  /** Whether its presenter holds the order's key. */
  readonly holdsKey?: boolean;
}

export interface QueuedLoan extends Required<PresentedLoan> {
  readonly outcome: CheckOutcome;
  /** Its time has come, and no process holds its lease. */
  readonly isDue: boolean;
}

export interface CheckLease {
  readonly failures: number;
  readonly createdAt: number;
}

/** Times in epoch milliseconds. */
export interface FinishedCheck {
  /** `undefined` leaves the stored outcome unchanged. */
  readonly outcome: CheckOutcome | undefined;
  readonly failures: number;
  /** The earliest next check, with subscribers. */
  readonly notBefore: number;
  /** The next check, without subscribers. */
  readonly nextAt: number;
}

/**
 * Counted separately for loans presented with the order's key and without: anyone can present any
 * id, and the customer's own loans must still find a slot.
 */
export const MAX_LOANS_PER_ORDER = 10;

/**
 * How far ahead each stored time can be, in milliseconds. A time further ahead was stored before
 * the clock was set back, and counts as past.
 */
export const MAX_TIME_AHEAD = {
  leased_until: 15_000,
  not_before: 70_000,
  next_at: 61 * MINUTE,
} as const;

type Rows = ExpressionBuilder<Tables, "payment_checks">;

function wherePast(eb: Rows, time: keyof typeof MAX_TIME_AHEAD, now: number) {
  return eb.or([eb(time, "<=", now), eb(time, ">", now + MAX_TIME_AHEAD[time])]);
}

function whereLeasable(eb: Rows, now: number) {
  return eb.and([wherePast(eb, "not_before", now), wherePast(eb, "leased_until", now)]);
}

function whereLoan({ orderId, loanId }: LoanCheckId) {
  return (eb: Rows) => eb.and({ order_id: orderId, loan_id: loanId });
}

/**
 * Adds a loan to the queued loans of its order, oldest first. If all slots are taken, it replaces a
 * loan that the provider does not know, or else one that is for another order.
 *
 * @returns the same list if the loan is already queued, and `undefined` if there is no slot for it
 */
export function withLoan(
  queued: readonly QueuedLoan[],
  { orderId, loanId, holdsKey = false }: PresentedLoan,
): readonly QueuedLoan[] | undefined {
  const known = queued.find((loan) => loan.loanId === loanId);
  if (known !== undefined && (known.holdsKey || !holdsKey)) return queued;
  const slots = queued.filter((loan) => loan.holdsKey === holdsKey);
  const isFull = slots.length >= MAX_LOANS_PER_ORDER;
  const replaced = isFull
    ? (slots.find(({ outcome }) => outcome === "absent") ??
      slots.find(({ outcome }) => outcome === "refused"))
    : undefined;
  if (isFull && replaced === undefined) return known && queued;
  const added = { orderId, loanId, holdsKey, outcome: "waiting", isDue: true } as const;
  return [...queued.filter((loan) => loan !== known && loan !== replaced), added];
}

/** Queued loans are checked even without subscribers. Returns whether each loan is queued. */
export async function queueLoans(
  { db, lock }: UnitOfWork,
  loans: readonly PresentedLoan[],
  now: number,
): Promise<boolean[]> {
  const orderIds = [...new Set(loans.map(({ orderId }) => orderId))];
  await lock(...orderIds);
  const stored = await findQueuedLoans(db, orderIds, now);
  const queued = new Map<string, readonly QueuedLoan[]>(stored);
  const results = loans.map((loan) => {
    const changed = withLoan(queued.get(loan.orderId) ?? [], loan);
    if (changed !== undefined) queued.set(loan.orderId, changed);
    return changed !== undefined;
  });
  const before = new Set([...stored.values()].flat());
  const after = new Set([...queued.values()].flat());
  const removed = [...before].filter((loan) => !after.has(loan));
  const added = [...after].filter((loan) => !before.has(loan));
  if (removed.length > 0) await removeLoans(db, removed);
  const rows = added.map(({ orderId, loanId, holdsKey, outcome }) => ({
    with_key: holdsKey ? 1 : 0,
    loan_id: loanId,
    order_id: orderId,
    outcome,
    failures: 0,
    not_before: 0,
    next_at: now,
    leased_until: 0,
    created_at: now,
  }));
  if (rows.length > 0) await db.insertInto("payment_checks").values(rows).execute();
  return results;
}

/**
 * The ids of the queued loans of an order.
 *
 * @param onlyWithKey only those that were presented with the order's key
 */
export async function findPresentedLoans(
  db: Queries,
  { orderId, onlyWithKey }: { readonly orderId: string; readonly onlyWithKey: boolean },
): Promise<string[]> {
  const rows = await db
    .selectFrom("payment_checks")
    .select("loan_id as id")
    .where("order_id", "=", orderId)
    .where("with_key", ">=", onlyWithKey ? 1 : 0)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Those of the queued loans of an order that were presented before a complete sweep began, and have
 * no open payment issue.
 */
export async function findLoansBeforeSweep(
  db: Queries,
  { orderId, loanIds }: { readonly orderId: string; readonly loanIds: readonly string[] },
  sweepBegan: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("payment_checks")
    .select("loan_id as id")
    .where("order_id", "=", orderId)
    .where("loan_id", "in", loanIds)
    .where("created_at", "<", sweepBegan)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_issues")
            .select("payment_issues.kind")
            .whereRef("payment_issues.loan_id", "=", "payment_checks.loan_id")
            .where(isUnresolved),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** By order id, oldest first. */
export async function findQueuedLoans(
  db: Queries,
  orderIds: readonly string[],
  now: number,
): Promise<Map<string, QueuedLoan[]>> {
  const rows = await db
    .selectFrom("payment_checks")
    .select((eb) => [
      "order_id as orderId",
      "loan_id as loanId",
      "outcome",
      "with_key as holdsKey",
      eb.case().when(whereLeasable(eb, now)).then(1).else(0).end().as("isDue"),
    ])
    .where("order_id", "in", padKeys(orderIds))
    .orderBy("created_at")
    .execute();
  const loans = rows.map(({ outcome, holdsKey, isDue, ...key }) => ({
    ...key,
    holdsKey: holdsKey === 1,
    // Version 1.0 also stores `again`.
    outcome: checkOutcomes.find((known) => known === outcome) ?? "waiting",
    isDue: isDue === 1,
  }));
  return Map.groupBy(loans, ({ orderId }) => orderId);
}

/**
 * The due loans, for checks without subscribers, most overdue first: up to `limit` of bound loans,
 * then as many of the others. This way, made-up ids waiting for a call cannot hold up a bound loan.
 */
export async function findDueLoans(
  db: Queries,
  now: number,
  limit: number,
): Promise<LoanCheckId[]> {
  const due = (bound: boolean) =>
    db
      .selectFrom("payment_checks")
      .select(["order_id as orderId", "loan_id as loanId"])
      .where((eb) => eb.and([wherePast(eb, "next_at", now), wherePast(eb, "leased_until", now)]))
      .where((eb) => {
        const isBound = eb.exists(
          eb
            .selectFrom("loans")
            .select("loans.id")
            .whereRef("loans.id", "=", "payment_checks.loan_id")
            .whereRef("loans.order_id", "=", "payment_checks.order_id")
            .where("loans.refusal", "is", null),
        );
        return bound ? isBound : eb.not(isBound);
      })
      .orderBy("next_at")
      .limit(limit)
      .execute();
  return [...(await due(true)), ...(await due(false))];
}

/** @returns `undefined` if the check is not due, is leased to another process, or is not queued */
export async function leaseCheck(
  db: Queries,
  key: LoanCheckId,
  { now, until }: { now: number; until: number },
): Promise<CheckLease | undefined> {
  return db
    .updateTable("payment_checks")
    .set({ leased_until: until })
    .where(whereLoan(key))
    .where((eb) => whereLeasable(eb, now))
    .returning(["failures", "created_at as createdAt"])
    .executeTakeFirst();
}

export async function finishCheck(
  db: Queries,
  key: LoanCheckId,
  { outcome, failures, notBefore, nextAt }: FinishedCheck,
): Promise<void> {
  await db
    .updateTable("payment_checks")
    .set({
      outcome,
      failures,
      not_before: notBefore,
      next_at: nextAt,
      leased_until: 0,
    })
    .where(whereLoan(key))
    .execute();
}

/** Ends a lease without a result: the check is due as before. */
export async function releaseCheck(db: Queries, key: LoanCheckId): Promise<void> {
  await db.updateTable("payment_checks").set({ leased_until: 0 }).where(whereLoan(key)).execute();
}

export async function removeLoans(db: Queries, keys: readonly LoanCheckId[]): Promise<void> {
  await db
    .deleteFrom("payment_checks")
    .where((eb) => eb.or(keys.map((key) => whereLoan(key)(eb))))
    .execute();
}

/** How late the most overdue check or sweep is, in milliseconds. */
export async function overdueBy(db: Queries, now: number): Promise<number> {
  const { check } = await db
    .selectFrom("payment_checks")
    .select((eb) => eb.fn.min("next_at").as("check"))
    .executeTakeFirstOrThrow();
  const { lease } = await db
    .selectFrom("leases")
    .select((eb) => eb.fn.min("until").as("lease"))
    .executeTakeFirstOrThrow();
  return Math.max(0, now - (check ?? now), now - (lease ?? now));
}
