import type { Loan, LoanPart } from "./loan.ts";

/**
 * The answer to a question to the provider. `absent`: it has no such loan or account for this API
 * key. `unavailable`: no usable answer. `deferred`: the provider was not asked, because the call
 * budget was used up, or its rate limit was reached.
 */
export type Answer<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "absent" }
  | {
      readonly kind: "unavailable";
      readonly why: string;
      /** The provider does not accept the API key. */
      readonly isKeyRefused?: boolean;
      /** What is wrong with an answer that does not have the expected shape. */
      readonly shape?: string;
    }
  | {
      readonly kind: "deferred";
      /** The pause that the provider asks for, in milliseconds. */
      readonly pause?: number;
    };

/** The answer of an adapter to a message that does not have the expected shape. */
export function notUnderstood({ shape }: { readonly shape: string }): Answer<never> {
  return { kind: "unavailable", why: "an answer of another shape", shape };
}

/** The parameters of one read of the list. */
export interface ListReading {
  /** Aborted at the timeout for the whole list, and when the server stops. */
  readonly signal: AbortSignal;
  /**
   * Called with each part, and awaited before the next part is read. The adapter must rethrow its
   * errors.
   */
  readonly onPart: (part: LoanPart) => Promise<void>;
  /**
   * Waits until the call budget allows one more call, for a list that takes several. The first call
   * needs no wait.
   *
   * @throws if `signal` is aborted first
   */
  readonly nextCall: () => Promise<void>;
}

/**
 * The interface of an adapter: three requests. The adapter sends each at once and without retries;
 * `createLoanProvider` adds the call budget, timeouts and retries. An error thrown by the adapter
 * counts as `unavailable`.
 */
export interface LoanProviderApi {
  /** The id of the shop's own account, which lends to the shopper. */
  account(signal: AbortSignal): Promise<Answer<string>>;
  /** One loan of the account. */
  loan(id: string, signal: AbortSignal): Promise<Answer<Loan>>;
  /** Reads every loan of the account, in parts. @returns the number of entries */
  loans(reading: ListReading): Promise<Answer<number>>;
}

/** The timeouts of calls to the provider, in milliseconds. */
export interface ProviderTimeouts {
  /** For the whole answer about one loan, the account, or one page of a paged list. */
  readonly answer: number;
  /** For the beginning of a list, and between two chunks of it. */
  readonly stalled: number;
  /** For the whole list. */
  readonly list: number;
}

/** The settings of an adapter. */
export interface ProviderSettings {
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly timeouts: ProviderTimeouts;
  /**
   * Called with the provider's time from the `Date` header of an answer, in epoch milliseconds, to
   * the second.
   */
  readonly onTime: (time: number) => void;
}

/** Creates the adapter of one provider. */
export type ConnectProvider = (settings: ProviderSettings) => LoanProviderApi;
