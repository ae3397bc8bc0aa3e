import type { LoanState } from "@keepsats/protocol";

// The interface of a loan provider's adapter. docs/loan-provider.md says how to write one.

/** Why a loan cannot pay an order, whatever its amount. */
export type Unfit =
  | { readonly kind: "other-asset" | "unknown-asset"; readonly asset: string }
  | { readonly kind: "no-amount"; readonly amount: string };

/** A loan as a provider reports it, in the shop's terms. */
export interface Loan {
  readonly id: string;
  /** The order that it names, in lower case; `undefined` if the text is not an order's id. */
  readonly orderId: string | undefined;
  /** Whether that text is not an order's id. It is dropped, because anyone can write it. */
  readonly isMisnamed: boolean;
  /** In whole cents, rounded down; `undefined` if the amount is not a number. */
  readonly cents: number | undefined;
  /** In cents, with their fraction. */
  readonly exactCents: number | undefined;
  /** The amount as the provider writes it. */
  readonly amountText: string;
  readonly unfit: Unfit | undefined;
  readonly state: LoanState;
  /** Whether a dispute makes the state unknown. */
  readonly isDisputed: boolean;
  /**
   * Whether another loan of the same order and amount extends this one. The extension brings no
   * money of its own. A provider may report it only for a while; the stored loan keeps it.
   */
  readonly wasExtended: boolean;
  /** Shown to staff; no decision depends on it. */
  readonly providerStatus: string;
  /** When the provider last changed it, in epoch milliseconds; 0 if unknown. */
  readonly updatedAt: number;
}

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

export interface ListReading {
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
export interface ProviderTimeouts {
  /** For one loan, the account, or one page of a paged list. */
  readonly providerTimeout: number;
  /** For the beginning of a list, and between two chunks of it. */
  readonly listStallTimeout: number;
  /** For the whole list. */
  readonly listTimeout: number;
}

export interface ProviderSettings {
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly timeouts: ProviderTimeouts;
  /** Called with the time of the `Date` header of an answer, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}

export type ConnectProvider = (settings: ProviderSettings) => LoanProviderApi;
