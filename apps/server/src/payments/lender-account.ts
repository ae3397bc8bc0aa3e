import type { Clock } from "../clock.ts";
import type { LoanProvider } from "./loan-provider.ts";

/**
 * Returns the id of the shop's account at the loan provider, read once and cached; `undefined`
 * while it cannot be read.
 */
export type CurrentUser = () => Promise<string | undefined>;

interface Dependencies {
  readonly provider: Pick<LoanProvider, "account">;
  readonly now: Clock;
  /** How long a failure is cached, in milliseconds. */
  readonly retryAfter: number;
}

/** Creates {@link CurrentUser}. Concurrent calls share one request. */
export function createCurrentUser({ provider, now, retryAfter }: Dependencies): CurrentUser {
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;

  async function read(): Promise<string | undefined> {
    const answer = await provider.account();
    known = answer.kind === "found" ? answer.value : undefined;
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
