import type { ExpressionBuilder } from "kysely";
import { FURTHEST_AHEAD } from "../clock.ts";
import type { Database, Queries } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";

/** What the last look at a contract found. `new`: nobody has looked yet. */
export type CheckOutcome = "new" | "ok" | "refused" | "absent" | "unreachable";

/** A contract that some order waits for, and the order. */
export interface CheckKey {
  readonly orderId: string;
  readonly contractId: string;
}

/** What is kept of a check when it is done; times in epoch milliseconds. */
export interface CheckResult {
  readonly outcome: CheckOutcome;
  readonly failures: number;
  readonly notBefore: number;
  readonly nextAt: number;
}

const MAX_CHECKS_PER_ORDER = 10;

/** Whether a stored time is over, also when the clock was set back since it was stored. */
function isOver(
  eb: ExpressionBuilder<Tables, "payment_checks">,
  time: "not_before" | "next_at" | "leased_until",
  now: number,
) {
  return eb.or([eb(time, "<=", now), eb(time, ">", now + FURTHEST_AHEAD)]);
}

/**
 * Notes that a contract was presented for an order, so that it will be looked at even if nobody stays to watch.
 * An order takes no more than a few contracts that turn out not to be its own.
 */
export async function addCheck(database: Database, key: CheckKey, now: number): Promise<void> {
  await database.inTransaction(async ({ db, lock }) => {
    await lock(key.orderId);
    const { present } = await db
      .selectFrom("payment_checks")
      .select((eb) => eb.fn.countAll<number>().as("present"))
      .where("order_id", "=", key.orderId)
      .executeTakeFirstOrThrow();
    if (Number(present) >= MAX_CHECKS_PER_ORDER) return;
    await db
      .insertInto("payment_checks")
      .values({
        contract_id: key.contractId,
        order_id: key.orderId,
        outcome: "new",
        failures: 0,
        not_before: 0,
        next_at: now,
        leased_until: 0,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Takes a check for this process alone until `until`; `undefined` when it is not due, taken, or not there. */
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
    .where((eb) => eb.and([isOver(eb, "not_before", now), isOver(eb, "leased_until", now)]))
    .returning(["failures", "created_at as createdAt"])
    .executeTakeFirst();
}

/** What the last look at a contract found; `undefined` when it is not looked at. */
export async function lastOutcome(db: Queries, key: CheckKey): Promise<CheckOutcome | undefined> {
  const row = await db
    .selectFrom("payment_checks")
    .select("outcome")
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .executeTakeFirst();
  switch (row?.outcome) {
    case undefined:
      return undefined;
    case "ok":
    case "refused":
    case "absent":
    case "unreachable":
      return row.outcome;
    default:
      return "new";
  }
}

/** Gives a check back with what it found. */
export async function finishCheck(db: Queries, key: CheckKey, result: CheckResult): Promise<void> {
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

/** Gives a check back as it was. */
export async function releaseCheck(db: Queries, key: CheckKey): Promise<void> {
  await db
    .updateTable("payment_checks")
    .set({ leased_until: 0 })
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .execute();
}

/** Ends a check: there is nothing more to learn. */
export async function removeCheck(db: Queries, key: CheckKey): Promise<void> {
  await db
    .deleteFrom("payment_checks")
    .where("order_id", "=", key.orderId)
    .where("contract_id", "=", key.contractId)
    .execute();
}

/** The checks whose time has come, the longest overdue first. */
export async function dueChecks(db: Queries, now: number, limit: number): Promise<CheckKey[]> {
  return db
    .selectFrom("payment_checks")
    .select(["order_id as orderId", "contract_id as contractId"])
    .where((eb) => eb.and([isOver(eb, "next_at", now), isOver(eb, "leased_until", now)]))
    .orderBy("next_at")
    .limit(limit)
    .execute();
}

/** How far back the longest overdue check or sweep lies, in milliseconds: whether anybody does the work. */
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

/** Takes a named lease until `until`. @returns whether nobody else holds it */
export async function takeLease(
  db: Queries,
  name: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const row = await db
    .insertInto("leases")
    .values({ name, until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ until })
        .where((eb) => eb.or([eb("leases.until", "<=", now), eb("leases.until", ">", now + FURTHEST_AHEAD)])),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a lease end at `until`. */
export async function endLease(db: Queries, name: string, until: number): Promise<void> {
  await db.updateTable("leases").set({ until }).where("name", "=", name).execute();
}
