import type { Database, Queries } from "../db/database.ts";
import { CLOCKS_DIFFER, takeLease } from "../db/leases.ts";
import { createLoop, type Loop } from "../loop.ts";
import { deletePictures, findUnused, keptIds, markUsed } from "../pictures/picture-repository.ts";
import { listItems } from "./item-repository.ts";

const HOUR = 3_600_000;
const INTERVAL = HOUR;
/** The wait before the first run: a process that is often restarted forgets pictures too. */
const FIRST = 60_000;
/** How long a picture that nothing uses is kept, in milliseconds. */
const KEPT = 24 * HOUR;
const LEASE = "forget-pictures";
const AT_A_TIME = 20;

interface Dependencies {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
}

/**
 * Deletes the uploaded pictures that nothing has used for a day, every hour; one process of all
 * does it.
 */
export function createForgetPictures({ database, onError }: Dependencies): Loop {
  return createLoop(
    async (stopping) => {
      const now = database.now();
      const until = now + INTERVAL - CLOCKS_DIFFER;
      const isFree = await takeLease(database.db, LEASE, { now, until, furthest: INTERVAL });
      if (isFree) await forgetPictures(database, { now, stopping });
    },
    INTERVAL,
    onError,
    FIRST,
  );
}

/**
 * Notes which pictures are in use, and deletes those that were not for {@link KEPT}. They are
 * looked for again in the transaction that deletes them, which no edit of the catalogue overlaps.
 * Whoever makes one of them the logo meanwhile notes its use in its row.
 */
export async function forgetPictures(
  database: Database,
  { now, stopping }: { readonly now: number; readonly stopping: AbortSignal },
): Promise<void> {
  const before = now - KEPT;
  await markUsed(database.db, await usedPictures(database.db), now);
  while (!stopping.aborted) {
    const unused = await findUnused(database.db, before, AT_A_TIME);
    if (unused.length === 0) return;
    await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      const used = await usedPictures(unit.db);
      await markUsed(unit.db, used, now);
      await deletePictures(unit, unused, before);
    });
  }
}

/** The ids of the pictures that items use, or the logo. */
async function usedPictures(db: Queries): Promise<Set<string>> {
  const items = await listItems(db);
  const settings = await db
    .selectFrom("shop_settings")
    .select("value")
    .where("name", "=", "logo")
    .execute();
  const logos = settings.map(({ value }): unknown => JSON.parse(value));
  return keptIds([
    ...items.flatMap(({ image_url, image_urls }) => [image_url, ...image_urls]),
    ...logos.filter((logo) => typeof logo === "string"),
  ]);
}
