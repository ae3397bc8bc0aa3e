/**
 * How a loan stands with the order that it is to pay:
 * - `under-way`: it has been asked for, and no money has come yet;
 * - `paid`: the principal has been given. Whatever becomes of the loan later, the shop has its money;
 * - `over`: this attempt will never pay;
 * - `unclear`: the provider's word proves neither, such as a dispute or a word that the adapter does not know.
 */
export type Standing = "under-way" | "paid" | "over" | "unclear";

/** Why the money of a loan pays no order, whatever its sum. */
export type Unfit =
  /** It lends something that is known to be no dollar, such as euros. */
  | { readonly kind: "other-asset"; readonly asset: string }
  /** It lends something that the adapter does not know. */
  | { readonly kind: "unknown-asset"; readonly asset: string }
  /** Its amount cannot be read as one. */
  | { readonly kind: "no-amount"; readonly amount: string };

/** A loan as a provider tells it, in the shop's own words: all that payments know of a provider. */
export interface Loan {
  /** The provider's id of it. */
  readonly id: string;
  /** The order that it names, in lower case; `undefined` where it names none of the form that our ids have. */
  readonly orderId: string | undefined;
  /** It names something, but no order's id. The words themselves go no further: anybody can write anything there. */
  readonly isMisnamed: boolean;
  /** What it lends, in whole cents, a fraction of a cent dropped; `undefined` where that is no amount. */
  readonly cents: number | undefined;
  readonly unfit: Unfit | undefined;
  readonly standing: Standing;
  /** An unclear standing comes from a dispute, not from a word that is not known. */
  readonly isDisputed: boolean;
  /** Another loan of the same order and amount goes on with this one, and brings no money of its own. */
  readonly wasExtended: boolean;
  /** The provider's own word for how it stands: shown to the merchant, and never decided by. */
  readonly word: string;
  /** When the provider last changed it, in epoch milliseconds; 0 where that is not told. */
  readonly updatedAt: number;
}

/** What a provider tells in a form that its adapter does not understand. */
export interface NotUnderstood {
  /** Its id, where it has one that can be shown. */
  readonly id: string | undefined;
  /** What is wrong with it, by fields and types, such as `amount is an object`. */
  readonly shape: string;
}

/** Some entries of a provider's list, in its order. */
export interface LoanPart {
  readonly loans: readonly Loan[];
  readonly notUnderstood: readonly NotUnderstood[];
}
