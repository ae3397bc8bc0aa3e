import type { Database } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";

/** In milliseconds. */
export interface AnswerTimes {
  /** How long idempotency keys are kept. */
  readonly keepAnswers: number;
  /** The interval of the cleanup. */
  readonly forgetAnswers: number;
  /**
   * The wait before the first cleanup. It is short, so that a process that is often restarted
   * cleans up too, and differs between processes, so that those that start together do not delete
   * at the same moment.
   */
  readonly forgetAnswersFirst: number;
}

/**
 * The times of the shop; `forgetAnswersFirst` is the longest, of which a process takes a random
 * part.
 */
export const answerTimes: AnswerTimes = {
  keepAnswers: 7 * 24 * 60 * 60_000,
  forgetAnswers: 10 * 60_000,
  forgetAnswersFirst: 60_000,
};

interface Dependencies {
  readonly database: Database;
  readonly times: AnswerTimes;
  readonly onError: (error: unknown) => void;
}

/**
 * The most rows that one statement deletes: after a long stop there may be hundreds of thousands.
 */
const AT_A_TIME = 500;

/**
 * Deletes expired idempotency keys soon after the start and then at an interval, by the clock that
 * all processes share. Every process does it: deleting the same rows twice does no harm, and
 * without expired rows it costs one query.
 */
export function createForgetAnswers({ database, times, onError }: Dependencies): Loop {
  return createLoop(
    (stopping) => removeAnswers(database, database.now() - times.keepAnswers, stopping),
    times.forgetAnswers,
    onError,
    times.forgetAnswersFirst,
  );
}

/**
 * Deletes the keys that were stored before a time, in epoch milliseconds, until it is done or the
 * server stops.
 */
async function removeAnswers(
  { db }: Database,
  before: number,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const old = db
      .selectFrom("idempotency_keys")
      .select("key")
      .where("created_at", "<", before)
      .limit(AT_A_TIME);
    const { numDeletedRows } = await db
      .deleteFrom("idempotency_keys")
      .where("key", "in", old)
      .executeTakeFirstOrThrow();
    if (numDeletedRows < AT_A_TIME) return;
    await new Promise(setImmediate);
  }
}
