import type { Selectable } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import type { Tables } from "../../../platform/database/tables.ts";

/** In epoch milliseconds. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

export const wholeJournal: Period = {
  from: Number.MIN_SAFE_INTEGER,
  before: Number.MAX_SAFE_INTEGER,
};

/** Few enough that other requests hardly wait. */
const MAX_ENTRIES_PER_BATCH = 100;

export type EntryRow = Selectable<Tables["journal"]>;

/** The entries of a period. */
export function entriesIn(db: Queries, { from, before }: Period) {
  return db.selectFrom("journal").where("at", ">=", from).where("at", "<", before);
}

/**
 * Reads the entries of a period in batches, by time. It leaves out entries that are recorded after
 * it began, so that it does not have only a part of them.
 */
export async function* batchesIn(db: Queries, period: Period): AsyncGenerator<EntryRow[]> {
  const { newest } = await db
    .selectFrom("journal")
    .select((eb) => eb.fn.max<number | null>("position").as("newest"))
    .executeTakeFirstOrThrow();
  yield* readInBatches<EntryRow>(MAX_ENTRIES_PER_BATCH, (last) => {
    // The index is by time alone, so a batch begins at the time of the last entry.
    const query = entriesIn(db, { from: last?.at ?? period.from, before: period.before })
      .selectAll()
      .where("position", "<=", newest ?? 0)
      .orderBy("at")
      .orderBy("position")
      .limit(MAX_ENTRIES_PER_BATCH);
    if (last === undefined) return query.execute();
    const { at, position } = last;
    return query
      .where(({ eb, or }) => or([eb("at", ">", at), eb("position", ">", position)]))
      .execute();
  });
}
