import type { ExpressionBuilder, Selectable } from "kysely";
import type { Database, Queries, UnitOfWork } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

/** The deliveries of one channel to one target. Partitions do not block each other. */
export interface Partition {
  readonly channel: string;
  readonly target: string;
}

/** Times are epoch milliseconds of `database.now`. */
export type DeliveryRow = Selectable<Tables["outbox"]>;

/** The maximum number of due deliveries that {@link takeDue} reads. */
const MAX_ROWS_PER_READ = 50;
const CRASHING = "Its attempts did not end, perhaps because each crashed its process.";

/**
 * The targets of a channel with waiting deliveries, sorted. One indexed query for each, whatever
 * the number of deliveries.
 */
export async function listWaitingTargets(db: Queries, channel: string): Promise<string[]> {
  const targets: string[] = [];
  for (;;) {
    const last = targets.at(-1);
    const query = db
      .selectFrom("outbox")
      .select("target")
      .where("state", "=", "waiting")
      .where("channel", "=", channel)
      .orderBy("target")
      .limit(1);
    const next = await (last === undefined
      ? query
      : query.where("target", ">", last)
    ).executeTakeFirst();
    if (next === undefined) return targets;
    targets.push(next.target);
  }
}

/** Epoch milliseconds of the next attempt in a partition; `undefined` if no delivery waits. */
export async function nextTime(db: Queries, partition: Partition): Promise<number | undefined> {
  const row = await waiting(db, partition)
    .select("next_at")
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

function waiting(db: Queries, partition: Partition) {
  return db.selectFrom("outbox").where(isWaitingIn(partition));
}

/** The condition of the waiting deliveries of a partition. */
export function isWaitingIn({ channel, target }: Partition) {
  return (eb: ExpressionBuilder<Tables, "outbox">) => eb.and({ state: "waiting", channel, target });
}

interface TakeOptions {
  /** The maximum number of deliveries to take. */
  readonly limit: number;
  /** How long they belong to this process, in milliseconds. */
  readonly lease: number;
  /** The maximum number of attempts that may be started of a delivery. */
  readonly maxAttempts: number;
  /** Called after the commit in which deliveries failed. */
  readonly onDeliveryFailed: () => void;
}

/**
 * Leases due deliveries of a partition to this process. Of the deliveries of one subject only the
 * earliest waiting one can be taken; the others are postponed to its time, so that they are
 * not read repeatedly.
 *
 * A delivery with too many started attempts fails instead: they do not end, because they crash
 * their process.
 *
 * @returns the taken deliveries, and whether further ones may be due
 */
export async function takeDue(
  database: Database,
  partition: Partition,
  { limit, lease: duration, maxAttempts, onDeliveryFailed }: TakeOptions,
) {
  return database.inTransaction(async (unit) => {
    await unit.lock(lockOf(partition));
    const at = database.now();
    const due = await waiting(unit.db, partition)
      .selectAll()
      .where("next_at", "<=", at)
      .orderBy("next_at")
      .orderBy("position")
      .limit(MAX_ROWS_PER_READ)
      .execute();
    if (due.length === 0) return { rows: [], hasMore: false };
    const heads = await firstOfSubjects(unit.db, partition, [
      ...new Set(due.map(({ subject }) => subject)),
    ]);
    const isHead = ({ subject, position }: DeliveryRow) =>
      heads.get(subject)?.position === position;
    const taken = due.filter((row) => isHead(row) && row.attempts < maxAttempts).slice(0, limit);
    const until = at + duration;
    await lease(unit, taken, until);
    for (const { subject } of taken) heads.set(subject, { position: -1, next_at: until });
    const behind = due.filter((row) => !taken.includes(row) && !isHead(row));
    await postpone(
      unit,
      behind.map((row) => ({
        position: row.position,
        until: heads.get(row.subject)?.next_at ?? at,
      })),
    );
    const crashing = due.filter((row) => isHead(row) && row.attempts >= maxAttempts);
    await storeResults(
      unit,
      crashing.map((row) => ({ row, outcome: { state: "failed", answer: CRASHING } })),
      { at, onDeliveryFailed },
    );
    const rows = taken.map((row) => ({
      ...row,
      next_at: until,
      leased_until: until,
      attempts: row.attempts + 1,
    }));
    return { rows, hasMore: due.length === MAX_ROWS_PER_READ || crashing.length > 0 };
  });
}

/** Position and time of the earliest waiting delivery of each subject of a partition. */
async function firstOfSubjects(db: Queries, partition: Partition, subjects: readonly string[]) {
  const positions = waiting(db, partition)
    .select((eb) => eb.fn.min("position").as("position"))
    .where("subject", "in", subjects)
    .groupBy("subject");
  const rows = await db
    .selectFrom("outbox")
    .select(["subject", "position", "next_at"])
    .where("position", "in", positions)
    .execute();
  return new Map(rows.map(({ subject, position, next_at }) => [subject, { position, next_at }]));
}

async function lease(unit: UnitOfWork, rows: readonly DeliveryRow[], until: number): Promise<void> {
  if (rows.length === 0) return;
  const positions = rows.map(({ position }) => position);
  await unit.db
    .updateTable("outbox")
    .set((eb) => ({ leased_until: until, next_at: until, attempts: eb("attempts", "+", 1) }))
    .where("position", "in", positions)
    .execute();
}

async function postpone(
  unit: UnitOfWork,
  rows: readonly { position: number; until: number }[],
): Promise<void> {
  for (const [until, alike] of Map.groupBy(rows, (row) => row.until)) {
    const positions = alike.map(({ position }) => position);
    const postponed = unit.db.updateTable("outbox").set({ next_at: until });
    await postponed.where("position", "in", positions).execute();
  }
}

/** The state of a delivery after an attempt; `nextAt` in epoch milliseconds. */
export type DeliveryOutcome =
  | { readonly state: "delivered" | "skipped" | "failed"; readonly answer: string }
  | { readonly state: "waiting"; readonly answer: string; readonly nextAt: number }
  /** The attempt was aborted because the process stops; it does not count. */
  | { readonly state: "interrupted" };

/** An ended attempt of a delivery that this process has taken. */
export interface EndedAttempt {
  readonly row: DeliveryRow;
  readonly outcome: DeliveryOutcome;
}

/**
 * Stores the results of attempts, and makes the next deliveries of their subjects due. An attempt
 * whose lease another process has taken over changes nothing.
 */
export async function storeResults(
  unit: UnitOfWork,
  ended: readonly EndedAttempt[],
  { at, onDeliveryFailed }: { readonly at: number; readonly onDeliveryFailed: () => void },
): Promise<void> {
  if (ended.some(({ outcome }) => outcome.state === "failed")) unit.afterCommit(onDeliveryFailed);
  await unit.lock(...new Set(ended.map(({ row }) => lockOf(row))));
  for (const { row, outcome } of ended) {
    const { numUpdatedRows } = await unit.db
      .updateTable("outbox")
      .set({ leased_until: 0, ...columnsOf(row, outcome, at) })
      .where("position", "=", row.position)
      .where("state", "=", "waiting")
      .where("leased_until", "=", row.leased_until)
      .executeTakeFirst();
    const hasEnded = outcome.state !== "waiting" && outcome.state !== "interrupted";
    if (hasEnded && numUpdatedRows > 0n) await makeNextDue(unit, row, at);
  }
}

function columnsOf(row: DeliveryRow, outcome: DeliveryOutcome, at: number) {
  switch (outcome.state) {
    case "delivered":
    case "skipped":
    case "failed":
      return { state: outcome.state, answer: outcome.answer, ended_at: at, next_at: at };
    case "waiting":
      return { answer: outcome.answer, next_at: outcome.nextAt };
    case "interrupted":
      return { next_at: at, attempts: row.attempts - 1 };
  }
}

/** Makes the deliveries due that were postponed behind an earlier one of their subject. */
async function makeNextDue(unit: UnitOfWork, row: DeliveryRow, at: number): Promise<void> {
  await unit.db
    .updateTable("outbox")
    .set({ next_at: at })
    .where(isWaitingIn(row))
    .where("subject", "=", row.subject)
    .where("attempts", "=", 0)
    .where("next_at", ">", at)
    .execute();
}

/**
 * The lock under which deliveries of a partition are taken and ended. A transaction that needs the
 * lock of an order too takes that one first.
 */
export function lockOf({ channel, target }: Partition): string {
  return `outbox ${channel} ${target}`;
}
