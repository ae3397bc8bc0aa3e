import { setTimeout as pause } from "node:timers/promises";
import { elapsed } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { Loan, LoanPart, NotUnderstood } from "./loan.ts";
import type { Answer, LoanProviderApi, ProviderTimeouts } from "./loan-provider-api.ts";
import { type CallBudget, type Importance, LONGEST_PAUSE } from "./loans/call-budget.ts";

export type { Answer } from "./loan-provider-api.ts";

/**
 * The loan provider, with call budget and timeouts. Its methods do not throw for failed calls: a
 * failure is an {@link Answer}.
 */
export interface LoanProvider {
  /** The id of the shop's own account, which lends to the shopper. */
  account(): Promise<Answer<string>>;
  /**
   * Takes one call from the budget, for a question about one loan.
   *
   * @param bound the loan is bound to an order, so the call has a higher priority
   * @returns a function that asks the question, or answers `deferred` if it is called after more
   *   than three seconds; `undefined` if no call is left
   */
  takeQuestion(bound: boolean): Promise<((id: string) => Promise<Answer<Loan>>) | undefined>;
  /**
   * Reads every loan of the account, in parts.
   *
   * @param onPart called with each part, and awaited before the next part is read
   * @returns the number of entries, once the whole list was read
   * @throws errors of `onPart`
   */
  loans(onPart: (part: LoanPart) => Promise<void>): Promise<Answer<number>>;
  /** Whether the last answer was usable. */
  readonly reachable: boolean;
}

interface Options {
  readonly budget: CallBudget;
  readonly timeouts: ProviderTimeouts;
  /** Aborts the calls in progress when the server stops. */
  readonly stopping: AbortSignal;
  readonly onAnswer?: ((answer: Answer<unknown>) => void) | undefined;
  /** Called with an answer about one loan that the adapter does not understand. */
  readonly onNotUnderstood?: ((entry: NotUnderstood) => void) | undefined;
  /** Called when the budget could not be read. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const deferred = { kind: "deferred" } as const;
/**
 * How long a question may be kept before it is asked, in milliseconds. It is limited so that kept
 * questions do not form a burst.
 */
const QUESTION_LASTS = 3_000;
/** The interval at which the next page of a list retries to take a call, in milliseconds. */
const NEXT_CALL_RETRY = 300;

/** Creates a provider that calls its adapter within the call budget and the timeouts. */
export function createLoanProvider(api: LoanProviderApi, options: Options): LoanProvider {
  const { budget, timeouts, stopping, onAnswer, onNotUnderstood, onError } = options;
  let reachable = true;

  /** Whether a call may be made. None may while the budget cannot be read. */
  async function mayCall(importance: Importance): Promise<boolean> {
    try {
      return await budget.take(importance);
    } catch (error) {
      onError?.(error);
      return false;
    }
  }

  function count<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind !== "deferred") reachable = answer.kind !== "unavailable";
    onAnswer?.(answer);
    return answer;
  }

  /** @param about the id of the loan, if the question is about one */
  async function passOn<T>(answer: Answer<T>, about: string | undefined): Promise<Answer<T>> {
    switch (answer.kind) {
      case "found":
      case "absent":
        return count(answer);
      case "deferred": {
        const pause = Math.min(answer.pause ?? 0, LONGEST_PAUSE);
        // If the pause cannot be stored, the provider will ask for it again at the next call.
        await budget.pause(pause).catch(() => {});
        return count(deferred);
      }
      case "unavailable": {
        if (about === undefined || answer.shape === undefined) return count(answer);
        // An unreadable answer about one loan does not make the provider unreachable.
        count({ kind: "found", value: undefined });
        onNotUnderstood?.({ id: about, shape: answer.shape });
        return answer;
      }
    }
  }

  async function ask<T>(
    request: (signal: AbortSignal) => Promise<Answer<T>>,
    within: number,
    about?: string,
  ): Promise<Answer<T>> {
    let answer: Answer<T>;
    try {
      answer = await request(AbortSignal.any([AbortSignal.timeout(within), stopping]));
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      // The call was aborted because this server stops, so the provider may be well.
      if (stopping.aborted) return count(deferred);
      answer = { kind: "unavailable", why: reasonOf(error) };
    }
    return passOn(answer, about);
  }

  async function nextCall(signal: AbortSignal): Promise<void> {
    while (!(await mayCall("urgent")))
      await pause(NEXT_CALL_RETRY, undefined, { signal, ref: false });
    signal.throwIfAborted();
  }

  return {
    async account() {
      if (!(await mayCall("urgent"))) return count(deferred);
      return ask((signal) => api.account(signal), timeouts.answer);
    },
    async takeQuestion(bound) {
      if (!(await mayCall(bound ? "bound" : "unbound"))) {
        count(deferred);
        return undefined;
      }
      const takenAt = elapsed();
      return (id) => {
        if (elapsed() - takenAt > QUESTION_LASTS) return Promise.resolve(count(deferred));
        return ask(async (signal) => only(id, await api.loan(id, signal)), timeouts.answer, id);
      };
    },
    async loans(onPart) {
      if (!(await mayCall("urgent"))) return count(deferred);
      const answer = await ask(
        (signal) =>
          api.loans({ signal, onPart: failingAsReader(onPart), nextCall: () => nextCall(signal) }),
        timeouts.list,
      );
      // A call that was made counts as a failure if it brought no list, so that the sweep backs
      // off.
      if (answer.kind === "deferred" && !stopping.aborted)
        return { kind: "unavailable", why: "it is busy" };
      return answer.kind === "absent" ? { kind: "unavailable", why: "there is no list" } : answer;
    },
    get reachable() {
      return reachable;
    },
  };
}

/**
 * A lenient provider may find a loan by another spelling of its id, such as `A1` for `a1`. That
 * counts as `absent`.
 */
function only(id: string, answer: Answer<Loan>): Answer<Loan> {
  return answer.kind === "found" && answer.value.id !== id ? { kind: "absent" } : answer;
}

/**
 * Wraps an error of `onPart`, so that it is rethrown and not taken for a failure of the provider.
 */
class ReaderFailed extends Error {}

function failingAsReader(
  onPart: (part: LoanPart) => Promise<void>,
): (part: LoanPart) => Promise<void> {
  return async (part) => {
    try {
      await onPart(part);
    } catch (error) {
      throw new ReaderFailed("the reader failed", { cause: error });
    }
  };
}
