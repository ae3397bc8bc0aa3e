/** The meaning of a loan's terms, written from docs/loan-provider.md and not from the server's code. */

/** The fields of a loan as the provider sends them. */
export interface Terms {
  /** The order that it names. */
  readonly orderId: string | null;
  /** The value of `loan_amount`. */
  readonly amount: number | string;
  readonly asset: string;
  readonly status: string;
  /** The value of `updated_at`; `undefined` to send the time of the change. */
  readonly time?: string | null | undefined;
}

/** Money that the provider has paid out, in cents; `undefined` if the amount cannot be read. */
export interface Payout {
  readonly currency: string;
  readonly cents: number | undefined;
  /** The exact amount in cents, where it has a fraction. */
  readonly exact: number;
}

export type State = "active" | "paid-out" | "ended" | "unknown";

const active = [
  "Requested",
  "RenewalRequested",
  "Approved",
  "CollateralSeen",
  "CollateralConfirmed",
];
const ended = [
  "Rejected",
  "Cancelled",
  "RequestExpired",
  "ApprovalExpired",
  "CollateralRecoverable",
  "ClosingByRecovery",
  "ClosedByRecovery",
];
const paidOut = [
  "PrincipalGiven",
  "RepaymentProvided",
  "RepaymentConfirmed",
  "Extended",
  "Closing",
  "Closed",
  "Undercollateralized",
  "Defaulted",
];

/** The state of a loan with this status. */
export function stateOf(status: string): State {
  if (active.includes(status)) return "active";
  if (ended.includes(status)) return "ended";
  return paidOut.includes(status) ? "paid-out" : "unknown";
}

/** The shop's currency. */
export const SHOP = "USD";

/** Cents as the API takes them. */
export const dollars = (amount: number) => amount / 100;

/** What a loan with these terms brings when it is paid out. */
export function payoutOf({ amount, asset }: Pick<Terms, "amount" | "asset">): Payout {
  const currency = asset === "UsdcPol" ? SHOP : asset;
  const text = String(amount);
  if (!/^\d+(\.\d+)?$/.test(text)) return { currency, cents: undefined, exact: Number.NaN };
  const [whole = "", fraction = ""] = text.split(".");
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  return { currency, cents, exact: Number(text) * 100 };
}

/**
 * The cents that a payout brings to an order: within half a cent of the total it counts as the
 * total; any other fraction of a cent is dropped.
 */
export function centsFor({ currency, cents, exact }: Payout, total: number | undefined) {
  if (cents === undefined || total === undefined || currency !== SHOP) return cents;
  return Math.abs(exact - total) < 0.5 ? total : cents;
}

export function samePayout(one: Payout | undefined, other: Payout | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.currency === other.currency && Object.is(one.exact, other.exact);
}
