import { inStockOf } from "@keepsats/protocol";
import { sql } from "kysely";
import type { Bus } from "../bus/bus.ts";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Announce } from "../outbox/outbox.ts";
import { isLow, isRefilled } from "./low-stock.ts";

const IDS_PER_QUERY = 500;

/** What an order must know of an item; `price` in cents. */
interface ForSale {
  readonly name: string;
  readonly price: number;
  /** How many pieces are left; `null` if the item is not counted. */
  readonly stock: number | null;
}

interface Dependencies {
  readonly bus: Bus;
  readonly announce: Announce;
}

/** An item whose count has changed. */
interface Counted {
  readonly id: string;
  readonly before: number;
  readonly after: number;
  readonly isTold: boolean;
}

/**
 * Creates the functions with which orders read items, take their pieces and give them back. A
 * transaction locks the items whose pieces it takes in the order of their ids, so two transactions
 * never wait for each other.
 */
export function createStock({ bus, announce }: Dependencies) {
  /** Adds to the counts; the items are locked. Those that are not counted stay as they are. */
  async function add(unit: UnitOfWork, pieces: ReadonlyMap<string, number>): Promise<void> {
    if (pieces.size === 0) return;
    const changed = await addToCounts(unit, [...pieces]);
    const low = changed.filter(
      ({ before, after, isTold }) => after < before && isLow(after) && !isTold,
    );
    const refilled = changed.filter(({ after, isTold }) => isRefilled(after) && isTold);
    await setTold(unit, low, 1);
    await setTold(unit, refilled, 0);
    await announce(
      unit,
      low.map(({ id, after }) => ({ type: "stock.low", subject: id, data: { stock: after } })),
    );
    if (changed.some(({ before, after }) => inStockOf(before) !== inStockOf(after))) {
      unit.afterCommit(() => bus.publish({ topic: "stock" }));
    }
  }

  return {
    read: (unit: UnitOfWork, ids: readonly string[]) => readForSale(unit.db, ids),
    lock: lockForSale,
    lockCounted,
    take: (unit: UnitOfWork, pieces: ReadonlyMap<string, number>) =>
      add(unit, new Map([...pieces].map(([id, count]) => [id, -count]))),
    async giveBack(unit: UnitOfWork, pieces: ReadonlyMap<string, number>): Promise<void> {
      await lockCounted(unit, [...pieces.keys()]);
      await add(unit, pieces);
    },
  };
}

const forSale = ["id", "name", "price", "stock"] as const;

/** Reads what can be bought, by item id. Hidden and unknown items are left out. */
export async function readForSale(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, ForSale>> {
  const found = new Map<string, ForSale>();
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await db
      .selectFrom("items")
      .select(forSale)
      .where("id", "in", ids.slice(start, start + IDS_PER_QUERY))
      .where("hidden", "=", 0)
      .execute();
    for (const { id, ...item } of rows) found.set(id, item);
  }
  return found;
}

/**
 * Locks items and reads them as {@link readForSale} does. One query, because its rows are locked in
 * the order of their ids.
 */
async function lockForSale(
  unit: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, ForSale>> {
  const query = unit.db
    .selectFrom("items")
    .select([...forSale, "hidden"])
    .where("id", "in", padded(ids))
    .orderBy("id");
  const rows = await unit.lockingRows(query).execute();
  return new Map(
    rows.flatMap(({ id, hidden, ...item }) => (hidden === 0 ? [[id, item] as const] : [])),
  );
}

/** Locks those of the items that are counted. An import may hold the others, and wait for these. */
async function lockCounted(unit: UnitOfWork, ids: readonly string[]): Promise<void> {
  const query = unit.db
    .selectFrom("items")
    .select("id")
    .where("id", "in", padded(ids))
    .where("stock", "is not", null)
    .orderBy("id");
  await unit.lockingRows(query).execute();
}

async function addToCounts(
  unit: UnitOfWork,
  pieces: readonly (readonly [id: string, count: number])[],
): Promise<Counted[]> {
  const cases = padded(pieces).map(([id, count]) => sql`when ${id} then cast(${count} as integer)`);
  const rows = await unit.db
    .updateTable("items")
    .set({ stock: sql<number>`stock + case id ${sql.join(cases, sql` `)} end` })
    .where("id", "in", padded(pieces.map(([id]) => id)))
    .where("stock", "is not", null)
    .returning(["id", "stock", "low_told"])
    .execute();
  const added = new Map(pieces);
  return rows.map(({ id, stock, low_told }) => {
    const after = stock ?? 0;
    return { id, before: after - (added.get(id) ?? 0), after, isTold: low_told === 1 };
  });
}

async function setTold(
  unit: UnitOfWork,
  items: readonly Counted[],
  low_told: 0 | 1,
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await unit.db.updateTable("items").set({ low_told }).where("id", "in", ids).execute();
}
