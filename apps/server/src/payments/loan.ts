import type { LoanState } from "@keepsats/protocol";

/** Why a loan cannot pay an order, whatever its amount. */
export type Unfit =
  /** It lends another currency or token, such as euros. */
  | { readonly kind: "other-asset"; readonly asset: string }
  /** It lends an asset that the adapter does not know. */
  | { readonly kind: "unknown-asset"; readonly asset: string }
  /** Its amount is not a number. */
  | { readonly kind: "no-amount"; readonly amount: string };

/**
 * A loan as a provider reports it, in the shop's terms. An adapter translates the provider's answer
 * into it.
 */
export interface Loan {
  /** The provider's id of the loan. */
  readonly id: string;
  /**
   * The id of the order that it names, in lower case; `undefined` if the text does not have the
   * form of an order's id.
   */
  readonly orderId: string | undefined;
  /**
   * Whether it names an order with a text that is not an order's id. The text itself is dropped,
   * because anybody can write it.
   */
  readonly isMisnamed: boolean;
  /**
   * The amount that it lends in whole cents, rounded down; `undefined` if the amount is not a
   * number.
   */
  readonly cents: number | undefined;
  /** The amount in cents with its fraction; `undefined` if it is not a number. */
  readonly exactCents: number | undefined;
  /** The amount as the provider writes it. */
  readonly amountText: string;
  readonly unfit: Unfit | undefined;
  readonly state: LoanState;
  /** Whether the state is unknown because of a dispute, and not because of an unknown status. */
  readonly isDisputed: boolean;
  /**
   * Whether another loan of the same order and amount extends this one. The extension brings no
   * money of its own. A provider may report it only for a while; the stored loan keeps it.
   */
  readonly wasExtended: boolean;
  /** The provider's own status. It is shown to the merchant; no decision depends on it. */
  readonly providerStatus: string;
  /** When the provider last changed it, in epoch milliseconds; 0 if unknown. */
  readonly updatedAt: number;
}

/** An entry that the adapter does not understand. */
export interface NotUnderstood {
  /** Its id, if it has one that can be shown. */
  readonly id: string | undefined;
  /** The fields and types that are wrong, such as `amount is an object`. */
  readonly shape: string;
}

/** Some entries of a provider's list, in its order. */
export interface LoanPart {
  readonly loans: readonly Loan[];
  readonly notUnderstood: readonly NotUnderstood[];
}
