import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { addToFigures, type Counted, countedOf, readContributions } from "./order-figures.ts";

/** An entry of the index, with what the figures contain of its order. */
interface CountedEntry {
  readonly position: number;
  readonly order_id: string;
  readonly counted: string | null;
}

/** Whether the loans of an order have changed since it was counted, or it is not counted. */
export async function isAnyToCount(db: Queries): Promise<boolean> {
  const change = await db.selectFrom("loan_changes").select("position").limit(1).executeTakeFirst();
  return change !== undefined || (await isAnyUncounted(db));
}

/**
 * Whether an order of the index was not counted, or has changed since: a process of an earlier
 * version has indexed it.
 */
export async function isAnyUncounted(db: Queries): Promise<boolean> {
  const entry = await uncounted(db, 1).executeTakeFirst();
  return entry !== undefined;
}

function uncounted(db: Queries, most: number) {
  return db
    .selectFrom("order_index")
    .select(["position", "order_id", "counted"])
    .whereRef("counted_at", "<>", "changed_at")
    .orderBy("position")
    .limit(most);
}

/**
 * Counts orders again whose loans have changed; if there are none, orders that are in the index and
 * not counted. The caller holds the lock of the index.
 *
 * @param most the most changes or orders to take
 * @returns how many were taken, 0 if all are counted
 */
export async function countOrders(
  unit: UnitOfWork,
  most: number,
): Promise<{ readonly kind: "stored" | "changes"; readonly count: number }> {
  const changes = await countChangedLoans(unit, most);
  if (changes > 0) return { kind: "changes", count: changes };
  return { kind: "stored", count: await countUncounted(unit, most) };
}

async function countChangedLoans(unit: UnitOfWork, most: number): Promise<number> {
  const { db } = unit;
  const changes = await db
    .selectFrom("loan_changes")
    .selectAll()
    .orderBy("position")
    .limit(most)
    .execute();
  if (changes.length === 0) return 0;
  const ids = [...new Set(changes.map(({ order_id }) => order_id))];
  // An order that is not in the index yet is counted with its loans when it is indexed.
  const entries = await db
    .selectFrom("order_index")
    .select(["position", "order_id", "counted"])
    .where("order_id", "in", padded(ids))
    .execute();
  await countEntries(unit, entries);
  await db
    .deleteFrom("loan_changes")
    .where("position", "in", padded(changes.map(({ position }) => position)))
    .execute();
  return changes.length;
}

async function countUncounted(unit: UnitOfWork, most: number): Promise<number> {
  const entries = await uncounted(unit.db, most).execute();
  if (entries.length === 0) return 0;
  await countEntries(unit, entries);
  await unit.db
    .updateTable("order_index")
    .set((eb) => ({ counted_at: eb.ref("changed_at") }))
    .where("position", "in", padded(entries.map(({ position }) => position)))
    .execute();
  return entries.length;
}

async function countEntries(unit: UnitOfWork, entries: readonly CountedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const orders = await unit.db
    .selectFrom("orders")
    .select(["id", "status", "total", "created_at"])
    .where("id", "in", padded(entries.map(({ order_id }) => order_id)))
    .execute();
  await storeCounts(unit, entries, await readContributions(unit.db, orders));
}

/**
 * Stores what the figures contain of orders from now on, and changes the figures by the difference
 * to before. An order without a contribution counts no more.
 */
export async function storeCounts(
  unit: UnitOfWork,
  entries: readonly CountedEntry[],
  contributions: ReadonlyMap<string, Counted>,
): Promise<void> {
  const changed = entries
    .map(({ position, order_id, counted }) => {
      const next = contributions.get(order_id) ?? [];
      return {
        position,
        former: counted,
        before: countedOf(counted),
        next,
        json: JSON.stringify(next),
      };
    })
    .filter(({ former, json }) => former !== json);
  // Orders of one day and status mostly count the same.
  for (const [json, alike] of Map.groupBy(changed, (one) => one.json)) {
    await unit.db
      .updateTable("order_index")
      .set({ counted: json })
      .where("position", "in", padded(alike.map(({ position }) => position)))
      .execute();
  }
  await addToFigures(
    unit,
    changed.map(({ next }) => next),
    changed.map(({ before }) => before),
  );
}
