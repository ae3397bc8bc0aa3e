import type { Clock } from "../clock.ts";
import type { LoanProvider } from "./loan-provider.ts";

/** The id of the shop's account at the loan provider, read once and kept; `undefined` while it cannot be read. */
export type CurrentUser = () => Promise<string | undefined>;

interface Dependencies {
  readonly provider: Pick<LoanProvider, "account">;
  readonly now: Clock;
  /** How long a failure is kept, in milliseconds. */
  readonly retryAfter: number;
}

/** Makes {@link CurrentUser}. Calls that come while the account is being read share its answer. */
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
