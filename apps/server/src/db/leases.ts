import type { Queries } from "./database.ts";

/** The tolerated clock skew between processes, in milliseconds. */
export const CLOCKS_DIFFER = 10_000;

/**
 * Takes a named lease. All times are epoch milliseconds of the shared clock.
 *
 * @param until when the lease ends
 * @param furthest the longest duration of a lease of this name, in milliseconds; a stored lease
 *   that ends later than that was written before the clock was set back, and is ignored
 * @returns whether the lease was free
 */
export async function takeLease(
  db: Queries,
  name: string,
  { now, until, furthest }: { now: number; until: number; furthest: number },
): Promise<boolean> {
  const row = await db
    .insertInto("leases")
    .values({ name, until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ until })
        .where((eb) =>
          eb.or([eb("leases.until", "<=", now), eb("leases.until", ">", now + furthest)]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Changes the end of a lease that the caller holds.
 *
 * @param from the end that the caller has written before; it identifies the holder
 * @returns whether the caller still held the lease
 */
export async function endLease(
  db: Queries,
  name: string,
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable("leases")
    .set({ until })
    .where("name", "=", name)
    .where("until", "=", from)
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}
