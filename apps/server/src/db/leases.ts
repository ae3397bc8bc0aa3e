import type { Queries } from "./database.ts";

/**
 * Takes a named lease until `until`.
 *
 * @param furthest how far ahead a lease of this name can end, in milliseconds; one that ends later is void
 * @returns whether nobody else holds it
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
        .where((eb) => eb.or([eb("leases.until", "<=", now), eb("leases.until", ">", now + furthest)])),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a lease end at `until` that its holder has written to end at `from`. @returns whether it still has it */
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
