import type { Queries } from "./database.ts";

/** The tolerated clock skew between processes, in milliseconds. */
export const MAX_CLOCK_SKEW = 10_000;

/**
 * Takes a named lease. Times are epoch milliseconds of the shared clock.
 *
 * @param until the end of the lease
 * @param maxDuration in milliseconds. A stored lease that lasts longer was written before the clock
 *   was set back, and is ignored
 * @returns whether the lease was free
 */
export async function takeLease(
  db: Queries,
  name: string,
  { now, until, maxDuration }: { now: number; until: number; maxDuration: number },
): Promise<boolean> {
  const row = await db
    .insertInto("leases")
    .values({ name, until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ until })
        .where((eb) =>
          eb.or([eb("leases.until", "<=", now), eb("leases.until", ">", now + maxDuration)]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Changes the end of a lease.
 *
 * @param from the end that the caller wrote before; it identifies the holder
 * @returns whether the caller still held the lease
 */
export async function setLeaseEnd(
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
