import type { Database } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";

/** In milliseconds. */
export interface AnswerTimes {
  /** How long idempotency keys are kept. */
  readonly keepAnswers: number;
  /** The interval of the cleanup. */
  readonly forgetAnswers: number;
}

export const answerTimes: AnswerTimes = {
  keepAnswers: 7 * 24 * 60 * 60_000,
  forgetAnswers: 10 * 60_000,
};

interface Dependencies {
  readonly database: Database;
  readonly times: AnswerTimes;
  readonly onError: (error: unknown) => void;
}

/** The most rows that one statement deletes: after a long stop there may be hundreds of thousands. */
const AT_A_TIME = 500;

/**
 * Deletes expired idempotency keys at an interval, by the clock that all processes share. Every process does it:
 * deleting the same rows twice does no harm, and without expired rows it costs one query.
 */
export function createForgetAnswers({ database, times, onError }: Dependencies): Loop {
  return createLoop(
    () => removeAnswers(database, database.now() - times.keepAnswers),
    times.forgetAnswers,
    onError,
  );
}

/** Deletes the keys that were stored before a time, in epoch milliseconds. */
async function removeAnswers({ db }: Database, before: number): Promise<void> {
  for (;;) {
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
