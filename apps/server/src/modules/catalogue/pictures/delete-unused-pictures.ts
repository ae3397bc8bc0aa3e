import type { Database, Queries } from "../../../platform/database/database.ts";
import { MAX_CLOCK_SKEW, takeLease } from "../../../platform/database/leases.ts";
import type { Platform } from "../../../platform/platform.ts";
import { HOUR } from "../../../platform/scheduling/clock.ts";
import { createPeriodicWorker, type Worker } from "../../../platform/scheduling/periodic-worker.ts";
import { listItems } from "../item-repository.ts";
import { deletePictures, findUnused, markUsed, uploadedIds } from "./picture-repository.ts";

const INTERVAL = HOUR;
/**
 * The delay of the first run: short, so that pictures are deleted even if restarts are frequent.
 */
const FIRST_RUN_DELAY = 60_000;
/** How long an unused picture is kept, in milliseconds. */
const KEPT = 24 * HOUR;
const LEASE = "delete-unused-pictures";
const MAX_PICTURES_PER_BATCH = 20;

/** Deletes uploaded pictures that were unused for a day. Runs every hour in one process. */
export function createDeleteUnusedPictures({
  database,
  onError,
}: Pick<Platform, "database" | "onError">): Worker {
  return createPeriodicWorker(
    async (stopping) => {
      const now = database.now();
      const until = now + INTERVAL - MAX_CLOCK_SKEW;
      const isFree = await takeLease(database.db, LEASE, { now, until, maxDuration: INTERVAL });
      if (isFree) await deleteUnusedPictures(database, { now, stopping });
    },
    INTERVAL,
    onError,
    FIRST_RUN_DELAY,
  );
}

/**
 * Marks the pictures in use, and deletes those unused for {@link KEPT}. Their use is checked again
 * in the transaction that deletes them, which excludes edits of the catalogue. A change of the logo
 * marks its picture as used.
 */
export async function deleteUnusedPictures(
  database: Database,
  { now, stopping }: { readonly now: number; readonly stopping: AbortSignal },
): Promise<void> {
  const before = now - KEPT;
  await markUsed(database.db, await findUsedPictures(database.db), now);
  while (!stopping.aborted) {
    const unused = await findUnused(database.db, before, MAX_PICTURES_PER_BATCH);
    if (unused.length === 0) return;
    await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      const used = await findUsedPictures(unit.db);
      await markUsed(unit.db, used, now);
      await deletePictures(unit, unused, before);
    });
  }
}

/** Returns the ids of the pictures of items and of the logo. */
async function findUsedPictures(db: Queries): Promise<Set<string>> {
  const items = await listItems(db);
  const settings = await db
    .selectFrom("shop_settings")
    .select("value")
    .where("name", "=", "logo")
    .execute();
  const logos = settings.map(({ value }): unknown => JSON.parse(value));
  return uploadedIds([
    ...items.flatMap(({ image_url, image_urls }) => [image_url, ...image_urls]),
    ...logos.filter((logo) => typeof logo === "string"),
  ]);
}
