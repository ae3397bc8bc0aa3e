import type { CheckOutcome, CheckState } from "./check-repository.ts";
import type { LoanProvider } from "./loan-provider.ts";
import type { BoundLoan } from "./loan-repository.ts";

/** What is known of a loan that was presented for an order, after it was checked. */
export interface CheckResult {
  /** It belongs to the order. */
  readonly bound: boolean;
  /** Nothing about it can change any more: no further check is needed. */
  readonly done: boolean;
  /**
   * `seen`: the provider has told of it. `absent`: the provider has no such loan, or the loan is not for this order.
   * `unreachable`: the provider cannot be reached. `waiting`: it has not been asked yet.
   */
  readonly finding: "seen" | "absent" | "unreachable" | "waiting";
  /** The provider was to be asked and was not, because no call was left. */
  readonly deferred: boolean;
}

/** What is stored of a loan that was presented for an order. */
export interface StoredCheck {
  /** The loan, if it belongs to the order. */
  readonly loan: BoundLoan | undefined;
  readonly check: CheckState | undefined;
  /** Whether the provider may be asked now: it is time, no process holds the lease, and the order takes one more loan. */
  readonly due: boolean;
  /** Nothing can change any more. */
  readonly finished: boolean;
}

/** What is known without asking the provider. */
export function resultOf({ loan, check }: StoredCheck): CheckResult {
  const bound = loan !== undefined;
  return { bound, done: false, finding: findingOf(check?.outcome, bound), deferred: false };
}

/** A shopper who was told that the provider cannot be reached is told at once that it can, although no call is left. */
export function deferredResult(
  stored: StoredCheck,
  { reachable }: Pick<LoanProvider, "reachable">,
): CheckResult {
  const result = resultOf(stored);
  const isBack = result.finding === "unreachable" && reachable;
  return {
    ...result,
    finding: isBack ? findingOf(undefined, result.bound) : result.finding,
    deferred: true,
  };
}

function findingOf(outcome: CheckOutcome | undefined, bound: boolean): CheckResult["finding"] {
  switch (outcome) {
    case "refused":
    case "absent":
      return "absent";
    case "unreachable":
      return "unreachable";
    case "ok":
      return "seen";
    case "new":
    case undefined:
      return bound ? "seen" : "waiting";
  }
}
