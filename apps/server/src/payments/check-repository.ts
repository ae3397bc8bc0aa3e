import type { ExpressionBuilder } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";

const outcomes = ["new", "ok", "refused", "absent", "unreachable"] as const;

/** The outcome of the last check of a loan. `new`: it has not been checked yet. */
export type CheckOutcome = (typeof outcomes)[number];

/** The ids of a loan and of the order that it was presented for. */
export interface CheckKey {
  readonly orderId: string;
  readonly contractId: string;
}

/** The values that are stored when a check ends; times in epoch milliseconds. */
export interface FinishedCheck {
  /** `undefined` leaves the stored outcome unchanged. */
  readonly outcome: CheckOutcome | undefined;
  readonly failures: number;
  readonly notBefore: number;
  readonly nextAt: number;
}

/**
 * A loan that a connection presents for an order. `withKey`: the connection has the order's key.
 */
export interface PresentedLoan extends CheckKey {
  readonly withKey?: boolean;
}

/**
 * The maximum number of checks per order, counted separately for loans presented with its key and
 * without: anyone can present any id, and the customer's own loans must still find a slot.
 */
export const MAX_CHECKS_PER_ORDER = 10;

/**
 * How far ahead each stored time can be, in milliseconds. A time further ahead was stored before
 * the clock was set back, and counts as past.
 */
export const FURTHEST_AHEAD = {
  leased_until: 15_000,
  not_before: 70_000,
  next_at: 61 * 60_000,
} as const;

/** Whether a stored time is past, or was stored before the clock was set back. */
function isOver(
  eb: ExpressionBuilder<Tables, "payment_checks">,
  time: keyof typeof FURTHEST_AHEAD,
  now: number,
) {
  return eb.or([eb(time, "<=", now), eb(time, ">", now + FURTHEST_AHEAD[time])]);
}

function mayBeLeased(eb: ExpressionBuilder<Tables, "payment_checks">, now: number) {
  return eb.and([isOver(eb, "not_before", now), isOver(eb, "leased_until", now)]);
}

type Place = Omit<CheckState, "due">;

/**
 * Finds a slot for a loan among the checks of its order, oldest first. If all are taken, it
 * replaces a loan that the provider does not know, or else one that is for another order.
 */
export function placeAmong<Taken extends Place>(
  checks: readonly Taken[],
  withKey: boolean,
): { readonly replaced: Taken | undefined } | undefined {
  const taken = checks.filter((check) => check.withKey === withKey);
  if (taken.length < MAX_CHECKS_PER_ORDER) return { replaced: undefined };
  const replaced =
    taken.find(({ outcome }) => outcome === "absent") ??
    taken.find(({ outcome }) => outcome === "refused");
  return replaced && { replaced };
}

/**
 * Stores that loans were presented for orders, so that they are checked even without followers.
 *
 * @returns whether each loan is stored
 */
export async function addChecks(
  { db, lock }: UnitOfWork,
  loans: readonly PresentedLoan[],
  now: number,
): Promise<boolean[]> {
  const orderIds = [...new Set(loans.map(({ orderId }) => orderId))];
  await lock(...orderIds);
  const stored = await findChecks(db, orderIds, now);
  const removed: CheckKey[] = [];
  const added: Place[] = [];
  const results = loans.map(({ orderId, contractId, withKey = false }) => {
    const checks = stored.get(orderId) ?? [];
    const known = checks.find((check) => check.contractId === contractId);
    if (known?.withKey === true || (known !== undefined && !withKey)) return true;
    const place = placeAmong(checks, withKey);
    if (place === undefined) return known !== undefined;
    const gone = [known, place.replaced].filter((check) => check !== undefined);
    const check = { orderId, contractId, withKey, outcome: "new", due: true } as const;
    removed.push(...gone);
    added.push(check);
    stored.set(orderId, [...checks.filter((other) => !gone.includes(other)), check]);
    return true;
  });
  if (removed.length > 0) await removeChecks(db, removed);
  // One group may contain a loan both with and without the key.
  const kept = added.filter(({ orderId, contractId, withKey }) =>
    stored
      .get(orderId)
      ?.some((check) => check.contractId === contractId && check.withKey === withKey),
  );
  if (kept.length > 0)
    await db
      .insertInto("payment_checks")
      .values(kept.map((loan) => newCheck(loan, now)))
      .execute();
  return results;
}

function newCheck({ orderId, contractId, withKey }: Place, now: number) {
  return {
    with_key: withKey ? 1 : 0,
    contract_id: contractId,
    order_id: orderId,
    outcome: "new" as const,
    failures: 0,
    not_before: 0,
    next_at: now,
    leased_until: 0,
    created_at: now,
  };
}

/**
 * Leases a check until `until`; `undefined` if it is not due, is leased to another process, or does
 * not exist.
 */
export async function leaseCheck(
  db: Queries,
  key: CheckKey,
  { now, until }: { now: number; until: number },
): Promise<{ failures: number; createdAt: number } | undefined> {
  return db
    .updateTable("payment_checks")
    .set({ leased_until: until })
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .where((eb) => mayBeLeased(eb, now))
    .returning(["failures", "created_at as createdAt"])
    .executeTakeFirst();
}

/** The state of a check. */
export interface CheckState extends Required<PresentedLoan> {
  readonly outcome: CheckOutcome;
  /** Whether the check is due and no process holds its lease. */
  readonly due: boolean;
}

/** The checks of many orders, by the orders' ids, oldest first. */
export async function findChecks(
  db: Queries,
  orderIds: readonly string[],
  now: number,
): Promise<Map<string, CheckState[]>> {
  const rows = await db
    .selectFrom("payment_checks")
    .select((eb) => [
      "order_id as orderId",
      "contract_id as contractId",
      "outcome",
      "with_key as withKey",
      eb.case().when(mayBeLeased(eb, now)).then(1).else(0).end().as("due"),
    ])
    .where("order_id", "in", padded(orderIds))
    .orderBy("created_at")
    .execute();
  const states = rows.map((row) => ({
    ...row,
    outcome: parseOutcome(row.outcome),
    withKey: row.withKey === 1,
    due: row.due === 1,
  }));
  return Map.groupBy(states, ({ orderId }) => orderId);
}

function parseOutcome(text: string): CheckOutcome {
  return outcomes.find((outcome) => outcome === text) ?? "new";
}

/** Ends the lease of a check and stores its outcome. */
export async function finishCheck(
  db: Queries,
  key: CheckKey,
  result: FinishedCheck,
): Promise<void> {
  await db
    .updateTable("payment_checks")
    .set({
      outcome: result.outcome,
      failures: result.failures,
      not_before: result.notBefore,
      next_at: result.nextAt,
      leased_until: 0,
    })
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .execute();
}

/** Ends the lease of a check without an outcome. */
export async function releaseCheck(db: Queries, key: CheckKey): Promise<void> {
  await db
    .updateTable("payment_checks")
    .set({ leased_until: 0 })
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .execute();
}

/** Removes the checks of loans that need no further check. */
export async function removeChecks(db: Queries, keys: readonly CheckKey[]): Promise<void> {
  await db
    .deleteFrom("payment_checks")
    .where((eb) =>
      eb.or(
        keys.map(({ orderId, contractId }) =>
          eb.and({ order_id: orderId, contract_id: contractId }),
        ),
      ),
    )
    .execute();
}

/**
 * The due checks of loans without followers, most overdue first: up to `limit` of bound loans, then
 * as many of the others. So invented ids that wait for a call keep no bound loan from its check.
 */
export async function dueChecks(db: Queries, now: number, limit: number): Promise<CheckKey[]> {
  const due = (bound: boolean) =>
    db
      .selectFrom("payment_checks")
      .select(["order_id as orderId", "contract_id as contractId"])
      .where((eb) => eb.and([isOver(eb, "next_at", now), isOver(eb, "leased_until", now)]))
      .where((eb) => {
        const isBound = eb.exists(
          eb
            .selectFrom("contracts")
            .select("contracts.id")
            .whereRef("contracts.id", "=", "payment_checks.contract_id")
            .whereRef("contracts.order_id", "=", "payment_checks.order_id"),
        );
        return bound ? isBound : eb.not(isBound);
      })
      .orderBy("next_at")
      .limit(limit)
      .execute();
  return [...(await due(true)), ...(await due(false))];
}

/**
 * How late the most overdue check or sweep is, in milliseconds. It grows while no process does the
 * work.
 */
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
