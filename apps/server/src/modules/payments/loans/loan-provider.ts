import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../../../platform/errors.ts";
import { elapsed } from "../../../platform/scheduling/clock.ts";
import type { Loan } from "../rules/index.ts";
import { type CallBudget, MAX_PAUSE, type Priority } from "./call-budget.ts";

export type { Loan } from "../rules/index.ts";

// The interface of a loan provider's adapter. docs/loan-provider.md says how to write one.

/** An entry that the adapter cannot decode. */
export interface UnrecognizedEntry {
  /** `undefined` if it has none that can be shown. */
  readonly id: string | undefined;
  /** The fields and types that are wrong, such as `amount is an object`. */
  readonly shape: string;
}

/** A part of a provider's list. */
export interface LoanPart {
  readonly loans: readonly Loan[];
  readonly unrecognized: readonly UnrecognizedEntry[];
}

/**
 * The answer to a request. `absent`: the provider has no such loan or account for this API key.
 * `unavailable`: no usable answer. `deferred`: no request was sent, because the call budget was
 * used up, or the provider's rate limit was reached.
 */
export type Answer<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "absent" }
  | {
      readonly kind: "unavailable";
      readonly why: string;
      readonly isKeyRefused?: boolean;
      /** The wrong fields and types of an answer that cannot be decoded. */
      readonly shape?: string;
    }
  | {
      readonly kind: "deferred";
      /** The pause that the provider demands, in milliseconds. */
      readonly pause?: number;
    };

interface ListReading {
  /** Aborted at the timeout for the whole list, and when the server stops. */
  readonly signal: AbortSignal;
  /** Await it before the next part is read, and rethrow its errors. */
  readonly onPart: (part: LoanPart) => Promise<void>;
  /**
   * Waits until the call budget allows one more call; the first call of a list needs no wait.
   *
   * @throws if `signal` is aborted first
   */
  readonly nextCall: () => Promise<void>;
}

/**
 * The adapter sends each request at once and without retries; `createLoanProvider` adds the call
 * budget, timeouts and retries. An error thrown by the adapter counts as `unavailable`.
 */
export interface LoanProviderApi {
  /** The id of the shop's own account, which lends to the customer. */
  lenderId(signal: AbortSignal): Promise<Answer<string>>;
  loan(id: string, signal: AbortSignal): Promise<Answer<Loan>>;
  /** Reads every loan of the account. Returns the number of entries. */
  loans(reading: ListReading): Promise<Answer<number>>;
}

/** In milliseconds. */
interface ProviderTimeouts {
  /** For one loan, the account, or one page of a paged list. */
  readonly providerTimeout: number;
  /** For the beginning of a list, and between two chunks of it. */
  readonly listStallTimeout: number;
  /** For the whole list. */
  readonly listTimeout: number;
}

interface ProviderSettings {
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly timeouts: ProviderTimeouts;
  /** Called with the time of the `Date` header of an answer, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}

export type ConnectProvider = (settings: ProviderSettings) => LoanProviderApi;

const deferred = { kind: "deferred" } as const;
/** How long a taken call may wait, in milliseconds, so that waiting calls do not form a burst. */
const MAX_CALL_WAIT = 3_000;
/** The interval at which the next page of a list retries to take a call, in milliseconds. */
const NEXT_CALL_RETRY = 300;

export type LoanProvider = ReturnType<typeof createLoanProvider>;

/** The loan provider, with call budget and timeouts. A failed call is an {@link Answer}. */
export function createLoanProvider(
  api: LoanProviderApi,
  {
    budget,
    timeouts,
    stopping,
    onAnswer,
    onUnrecognized,
    onError,
  }: {
    readonly budget: CallBudget;
    readonly timeouts: ProviderTimeouts;
    /** Aborts the calls in progress when the server stops. */
    readonly stopping: AbortSignal;
    readonly onAnswer?: (answer: Answer<unknown>) => void;
    readonly onUnrecognized?: (entry: UnrecognizedEntry) => void;
    /** Called when the budget could not be read. */
    readonly onError?: (error: unknown) => void;
  },
) {
  let reachable = true;

  /** Whether a call may be made. None may while the budget cannot be read. */
  async function mayCall(priority: Priority): Promise<boolean> {
    try {
      return await budget.take(priority);
    } catch (error) {
      onError?.(error);
      return false;
    }
  }

  function recordAnswer<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind !== "deferred") reachable = answer.kind !== "unavailable";
    onAnswer?.(answer);
    return answer;
  }

  async function passOn<T>(answer: Answer<T>, about: string | undefined): Promise<Answer<T>> {
    switch (answer.kind) {
      case "found":
      case "absent":
        return recordAnswer(answer);
      case "deferred": {
        const wait = Math.min(answer.pause ?? 0, MAX_PAUSE);
        // If the pause cannot be stored, the provider will demand it again at the next call.
        await budget.pause(wait).catch(() => {});
        return recordAnswer(deferred);
      }
      case "unavailable": {
        if (about === undefined || answer.shape === undefined) return recordAnswer(answer);
        // An unreadable answer about one loan does not make the provider unreachable.
        recordAnswer({ kind: "found", value: undefined });
        onUnrecognized?.({ id: about, shape: answer.shape });
        return answer;
      }
    }
  }

  async function call<T>(
    request: (signal: AbortSignal) => Promise<Answer<T>>,
    timeout: number,
    about?: string,
  ): Promise<Answer<T>> {
    let answer: Answer<T>;
    try {
      answer = await request(AbortSignal.any([AbortSignal.timeout(timeout), stopping]));
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      // The call was aborted because this server stops, so the provider may be well.
      if (stopping.aborted) return recordAnswer(deferred);
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
    async lenderId(): Promise<Answer<string>> {
      if (!(await mayCall("urgent"))) return recordAnswer(deferred);
      return call((signal) => api.lenderId(signal), timeouts.providerTimeout);
    },
    /**
     * Takes one call from the budget, to read one loan.
     *
     * @param bound the loan is bound to an order, so the call has a higher priority
     * @returns a function that reads the loan, or answers `deferred` if it is called after more
     *   than three seconds; `undefined` if no call is left
     */
    async takeLoanCall(
      bound: boolean,
    ): Promise<((id: string) => Promise<Answer<Loan>>) | undefined> {
      if (!(await mayCall(bound ? "bound" : "unbound"))) {
        recordAnswer(deferred);
        return undefined;
      }
      const takenAt = elapsed();
      return async (id) => {
        if (elapsed() - takenAt > MAX_CALL_WAIT) return recordAnswer(deferred);
        return call(
          async (signal) => only(id, await api.loan(id, signal)),
          timeouts.providerTimeout,
          id,
        );
      };
    },
    /**
     * Reads every loan of the account, in parts.
     *
     * @returns the number of entries
     * @throws errors of `onPart`
     */
    async loans(onPart: (part: LoanPart) => Promise<void>): Promise<Answer<number>> {
      if (!(await mayCall("urgent"))) return recordAnswer(deferred);
      const answer = await call(
        (signal) =>
          api.loans({ signal, onPart: failingAsReader(onPart), nextCall: () => nextCall(signal) }),
        timeouts.listTimeout,
      );
      // A call that brought no list counts as a failure, so that the sweep backs off.
      if (answer.kind === "deferred" && !stopping.aborted)
        return { kind: "unavailable", why: "it is busy" };
      return answer.kind === "absent" ? { kind: "unavailable", why: "there is no list" } : answer;
    },
    /** Whether the last answer was usable. */
    get reachable(): boolean {
      return reachable;
    },
  };
}

/** A loan that a provider finds by another spelling of its id, such as `A1` for `a1`, is absent. */
function only(id: string, answer: Answer<Loan>): Answer<Loan> {
  return answer.kind === "found" && answer.value.id !== id ? { kind: "absent" } : answer;
}

/** An error of `onPart`: it is rethrown and not taken for a failure of the provider. */
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
