import type { Loan, LoanPart } from "./loan.ts";

/** What came of one request to a provider. */
export type Reply<T> =
  | { readonly kind: "found"; readonly value: T }
  /** There is no such thing for this key. */
  | { readonly kind: "absent" }
  /** The provider asks for no call for `pause` milliseconds. */
  | { readonly kind: "busy"; readonly pause: number }
  /** The provider answers, and what it says has another form; `shape` says what is wrong with it. */
  | { readonly kind: "not-understood"; readonly shape: string }
  /** No usable answer. `isKeyRefused`: because the provider does not accept the key. */
  | { readonly kind: "unavailable"; readonly why: string; readonly isKeyRefused?: boolean };

/** One reading of the list. */
export interface ListReading {
  /** Aborted when the whole list takes too long or the server stops. */
  readonly signal: AbortSignal;
  /** Is waited for: the next part is read when this one is done with. What it throws must be thrown on. */
  readonly onPart: (part: LoanPart) => Promise<void>;
  /**
   * Waits until one more call may be made, where a list takes several; the first one may be made at once.
   *
   * @throws when `signal` is aborted first
   */
  readonly nextCall: () => Promise<void>;
}

/**
 * What an adapter implements: three questions. It asks at once, and once. Budget, deadlines, retries and what becomes of
 * an answer are the business of `createLoanProvider`. Whatever it throws counts as `unavailable`.
 */
export interface LoanProviderApi {
  /** The id of the shop's own account, which lends to the shopper. */
  account(signal: AbortSignal): Promise<Reply<string>>;
  /** One loan of the account. */
  loan(id: string, signal: AbortSignal): Promise<Reply<Loan>>;
  /** Every loan of the account, part by part. @returns how many entries there were */
  loans(reading: ListReading): Promise<Reply<number>>;
}

/** How long a provider may take, in milliseconds. */
export interface ProviderTimeouts {
  /** For the whole answer about one loan, the account, or one page of a list that has pages. */
  readonly answer: number;
  /** For the beginning of a list, and between two chunks of it. */
  readonly stalled: number;
  /** For the whole list. */
  readonly list: number;
}

/** What every adapter is handed. */
export interface ProviderSettings {
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly timeouts: ProviderTimeouts;
  /** Is told what time it is at the provider, in epoch milliseconds, to the second. */
  readonly onTime: (time: number) => void;
}

/** Makes the adapter of one provider. */
export type ConnectProvider = (settings: ProviderSettings) => LoanProviderApi;
