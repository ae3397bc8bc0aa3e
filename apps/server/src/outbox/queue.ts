import type { Selectable } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Queries, UnitOfWork } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";

/** The deliveries of one channel to one target. Lanes do not wait for each other. */
export interface Lane {
  readonly channel: string;
  readonly target: string;
}

export type DeliveryRow = Selectable<Tables["outbox"]>;

/** How many due deliveries one take looks at. */
const LOOKED_AT = 50;
const ENDLESS = "given up: its attempts did not end, perhaps because each stopped its process";

/** The names of the channels in which deliveries wait. */
export async function waitingChannels(db: Queries): Promise<string[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("channel")
    .distinct()
    .where("state", "=", "waiting")
    .execute();
  return rows.map(({ channel }) => channel);
}

/**
 * The targets for which deliveries of a channel wait. One query for each, whatever the number of
 * deliveries.
 */
export async function waitingTargets(db: Queries, channel: string): Promise<string[]> {
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

/** The time of the next attempt in a lane, in epoch milliseconds; `undefined` if none waits. */
export async function nextTime(db: Queries, lane: Lane): Promise<number | undefined> {
  const row = await waiting(db, lane)
    .select("next_at")
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

/** The waiting deliveries of a lane. */
function waiting(db: Queries, { channel, target }: Lane) {
  return db
    .selectFrom("outbox")
    .where("state", "=", "waiting")
    .where("channel", "=", channel)
    .where("target", "=", target);
}

/** Called after the commit in which deliveries were given up. */
export type OnGivenUp = () => void;

/**
 * The result of {@link takeDue}. `isMore`: further deliveries may be due that it has not looked at.
 */
export interface Taken {
  readonly rows: readonly DeliveryRow[];
  readonly isMore: boolean;
}

interface TakeLimits {
  readonly most: number;
  readonly lease: number;
  readonly mostAttempts: number;
  readonly onGivenUp: OnGivenUp;
}

/**
 * Takes due deliveries of a lane for one process, by a lease on each. Of the deliveries of one
 * subject only the earliest waiting one can be taken. Those behind it are put off to its time, so
 * that they are not looked at again and again.
 *
 * One whose attempts were begun too often is given up instead: they do not end, because they kill
 * their process.
 *
 * @param now the clock that all processes share
 * @param most how many to take
 * @param lease how long they belong to this process, in milliseconds
 * @param mostAttempts how many attempts of a delivery may be begun
 */
export async function takeDue(
  database: Database,
  lane: Lane,
  { now, most, lease: duration, mostAttempts, onGivenUp }: TakeLimits & { readonly now: Clock },
): Promise<Taken> {
  return database.inTransaction(async (unit) => {
    await unit.lock(lockOf(lane));
    const at = now();
    const due = await waiting(unit.db, lane)
      .selectAll()
      .where("next_at", "<=", at)
      .orderBy("next_at")
      .orderBy("position")
      .limit(LOOKED_AT)
      .execute();
    if (due.length === 0) return { rows: [], isMore: false };
    const heads = await firstOfSubjects(unit.db, lane, [
      ...new Set(due.map(({ subject }) => subject)),
    ]);
    const isHead = ({ subject, position }: DeliveryRow) =>
      heads.get(subject)?.position === position;
    const taken = due.filter((row) => isHead(row) && row.attempts < mostAttempts).slice(0, most);
    const until = at + duration;
    await lease(unit, taken, until);
    for (const { subject } of taken) heads.set(subject, { position: -1, next_at: until });
    const behind = due.filter((row) => !taken.includes(row) && !isHead(row));
    await putOff(
      unit,
      behind.map((row) => ({
        position: row.position,
        until: heads.get(row.subject)?.next_at ?? at,
      })),
    );
    const endless = due.filter((row) => isHead(row) && row.attempts >= mostAttempts);
    await storeEnds(
      unit,
      endless.map((row) => ({ row, outcome: { state: "given-up", answer: ENDLESS } })),
      { at, onGivenUp },
    );
    const rows = taken.map((row) => ({
      ...row,
      next_at: until,
      leased_until: until,
      attempts: row.attempts + 1,
    }));
    return { rows, isMore: due.length === LOOKED_AT || endless.length > 0 };
  });
}

/** Position and time of the earliest waiting delivery of each subject of a lane. */
async function firstOfSubjects(db: Queries, lane: Lane, subjects: readonly string[]) {
  const positions = waiting(db, lane)
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
  await unit.db
    .updateTable("outbox")
    .set((eb) => ({ leased_until: until, next_at: until, attempts: eb("attempts", "+", 1) }))
    .where(
      "position",
      "in",
      rows.map(({ position }) => position),
    )
    .execute();
}

async function putOff(
  unit: UnitOfWork,
  rows: readonly { position: number; until: number }[],
): Promise<void> {
  for (const [until, alike] of Map.groupBy(rows, (row) => row.until)) {
    await unit.db
      .updateTable("outbox")
      .set({ next_at: until })
      .where(
        "position",
        "in",
        alike.map(({ position }) => position),
      )
      .execute();
  }
}

/**
 * What becomes of a delivery after an attempt: it has ended, or waits until `nextAt` (epoch
 * milliseconds).
 */
export type Outcome =
  | { readonly state: "delivered" | "skipped" | "given-up"; readonly answer: string }
  | { readonly state: "waiting"; readonly answer: string; readonly nextAt: number }
  /** The attempt was broken off because the process stops; it does not count. */
  | { readonly state: "interrupted" };

/** The end of an attempt of a delivery that this process has taken. */
export interface Ended {
  readonly row: DeliveryRow;
  readonly outcome: Outcome;
}

/**
 * Stores how attempts ended, and makes the next deliveries of their subjects due. An attempt whose
 * lease another process has taken over changes nothing.
 */
export async function storeEnds(
  unit: UnitOfWork,
  ends: readonly Ended[],
  { at, onGivenUp }: { readonly at: number; readonly onGivenUp: OnGivenUp },
): Promise<void> {
  if (ends.some(({ outcome }) => outcome.state === "given-up")) unit.afterCommit(onGivenUp);
  await unit.lock(...new Set(ends.map(({ row }) => lockOf(row))));
  for (const { row, outcome } of ends) {
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

function columnsOf(row: DeliveryRow, outcome: Outcome, at: number) {
  switch (outcome.state) {
    case "delivered":
    case "skipped":
    case "given-up":
      return { state: outcome.state, answer: outcome.answer, ended_at: at, next_at: at };
    case "waiting":
      return { answer: outcome.answer, next_at: outcome.nextAt };
    case "interrupted":
      return { next_at: at, attempts: row.attempts - 1 };
  }
}

/** Makes the deliveries due that were put off because of an earlier one of their subject. */
async function makeNextDue(unit: UnitOfWork, row: DeliveryRow, at: number): Promise<void> {
  await unit.db
    .updateTable("outbox")
    .set({ next_at: at })
    .where("state", "=", "waiting")
    .where("channel", "=", row.channel)
    .where("target", "=", row.target)
    .where("subject", "=", row.subject)
    .where("attempts", "=", 0)
    .where("next_at", ">", at)
    .execute();
}

/**
 * The name of the lock under which deliveries of a lane are taken and ended. Whoever takes it as
 * well as the lock of an order takes that of the order first.
 */
export function lockOf({ channel, target }: Lane): string {
  return `outbox ${channel} ${target}`;
}
