import type { Clock } from "../clock.ts";

/** Reads the shop's account at the provider; `undefined` while it cannot be read. */
export type ReadAccount = () => Promise<string | undefined>;

/** The id of the shop's account at the loan provider, read once and kept. */
export type CurrentUser = () => Promise<string | undefined>;

interface Dependencies {
  readonly readAccount: ReadAccount;
  readonly now: Clock;
  /** How long a failure is kept, in milliseconds. */
  readonly retryAfter: number;
}

/** Calls that come while the account is being read share its answer; a failure is kept for a moment. */
export function createCurrentUser({ readAccount, now, retryAfter }: Dependencies): CurrentUser {
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;

  async function read(): Promise<string | undefined> {
    known = await readAccount();
    notBefore = now() + retryAfter;
    return known;
  }

  return async () => {
    if (known !== undefined || now() < notBefore) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
