import { type LoanPayout, loanPayoutOf, shopCurrency } from "@keepsats/domain";
import type { ComparedLoan } from "@keepsats/protocol";
import type { OrderReference } from "../../orders/index.ts";
import type { StoredEntry } from "../journal/journal-repository.ts";
import type { Loan } from "../loans/loan-provider.ts";
import { lentBy } from "../rules/index.ts";

/** A loan that was paid out, as the journal has it. */
export interface JournaledLoan {
  readonly id: string;
  readonly orderId: string | undefined;
  /** `undefined` without an order. */
  readonly order: Pick<OrderReference, "number" | "total"> | undefined;
  /** The time of its first payout, in epoch milliseconds. */
  readonly paidAt: number;
  /** `undefined` if everything was reversed. */
  readonly payout: LoanPayout | undefined;
}

/**
 * @param entries all entries of the loan, oldest first
 * @returns `undefined` if it was never paid out
 */
export function journaledLoan(
  id: string,
  entries: readonly StoredEntry[],
  orders: ReadonlyMap<string, Pick<OrderReference, "number" | "total">>,
): JournaledLoan | undefined {
  const paidAt = entries.find(({ kind }) => kind === "received")?.at;
  if (paidAt === undefined) return undefined;
  const orderId = entries.findLast((entry) => entry.orderId !== undefined)?.orderId;
  const order = orderId === undefined ? undefined : orders.get(orderId);
  return { id, orderId, order, paidAt, payout: loanPayoutOf(entries, id) };
}

const shopFields = ({ id, orderId, order, paidAt, payout }: JournaledLoan) => ({
  loan_id: id,
  order_id: orderId ?? null,
  order_number: order?.number ?? null,
  paid_at: paidAt,
  shop: amountOf(payout),
});

/** A loan of the journal beside the provider's report of it. */
export function compareLoan(journaled: JournaledLoan, loan: Loan): ComparedLoan {
  const shop = amountOf(journaled.payout);
  const provider = providerAmount(loan, journaled.order?.total);
  // A currency does not matter where there is no money.
  const isSame =
    shop.amount === provider.amount && (shop.amount === 0 || shop.currency === provider.currency);
  return {
    ...shopFields(journaled),
    match: isSame ? "same" : "different",
    provider,
    provider_status: loan.providerStatus,
  };
}

/** A loan of the journal whose report by the provider cannot be read. */
export function unreadableLoan(journaled: JournaledLoan): ComparedLoan {
  return { ...shopFields(journaled), match: "different", provider: null, provider_status: null };
}

/** A loan of the journal that the provider does not list. */
export function unlistedLoan(journaled: JournaledLoan): ComparedLoan {
  const match = amountOf(journaled.payout).amount === 0 ? "same" : "only-shop";
  return { ...shopFields(journaled), match, provider: null, provider_status: null };
}

/** A loan that the provider reports as paid out, and the journal does not have. */
export function unknownLoan(loan: Loan): ComparedLoan {
  return {
    match: "only-provider",
    loan_id: loan.id,
    order_id: loan.orderId ?? null,
    order_number: null,
    paid_at: null,
    shop: null,
    provider: providerAmount(loan, undefined),
    provider_status: loan.providerStatus,
  };
}

type Amount = NonNullable<ComparedLoan["shop"]>;

function amountOf(payout: LoanPayout | undefined): Amount {
  if (payout === undefined) return { amount: 0, currency: shopCurrency.code };
  const { amount, unknown, currency } = payout;
  return { amount: unknown > 0 ? null : amount, currency };
}

/** Only a loan that is paid out is money. In an unknown state the amount is unknown. */
function providerAmount(loan: Loan, total: number | undefined): Amount {
  const { cents = null, currency } = lentBy(loan, total);
  switch (loan.state) {
    case "paid-out":
      return { amount: cents, currency };
    case "active":
    case "ended":
      return { amount: 0, currency };
    case "unknown":
      return { amount: null, currency };
  }
}
