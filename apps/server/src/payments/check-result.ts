import type { CheckOutcome, CheckState } from "./check-repository.ts";
import type { LoanProvider } from "./loan-provider.ts";
import type { BoundLoan } from "./loan-repository.ts";

/** The result of checking a loan that was presented for an order. */
export interface CheckResult {
  /** Whether the loan is bound to the order. */
  readonly bound: boolean;
  /** Whether no further check is needed. */
  readonly done: boolean;
  /**
   * `seen`: the provider has the loan, and it is bound to the order. `absent`: the provider has no
   * such loan, or it is not for this order. `unreachable`: the provider gave no usable answer.
   * `waiting`: the provider has not been asked yet.
   */
  readonly finding: "seen" | "absent" | "unreachable" | "waiting";
  /**
   * Whether the provider was not asked although a check was due, because the call budget was used
   * up.
   */
  readonly deferred: boolean;
}

/** The stored state of a loan that was presented for an order. */
export interface StoredCheck {
  /** The loan, if it is bound to the order. */
  readonly loan: BoundLoan | undefined;
  readonly check: CheckState | undefined;
  /**
   * Whether a slot is free for a check that is not stored yet, or not yet as presented with the
   * order's key.
   */
  readonly hasNewPlace: boolean;
  /** Whether the provider may be asked now: a check is due, and no process holds its lease. */
  readonly due: boolean;
  /** Whether no further check is needed. */
  readonly finished: boolean;
}

/** The result from the stored state, without asking the provider. */
export function resultOf({ loan, check }: StoredCheck): CheckResult {
  const bound = loan !== undefined;
  return { bound, done: false, finding: findingOf(check?.outcome, bound), deferred: false };
}

/**
 * The result of a deferred check. It clears `unreachable` as soon as the provider is reachable
 * again, without a call of its own.
 */
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
