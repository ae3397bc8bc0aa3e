import { isDeepStrictEqual } from "node:util";
import { type Cents, shopCurrency } from "@keepsats/domain";
import { equalPayouts } from "./extensions.ts";
import { moveFor } from "./moves.ts";
import { shortfallDetail, unfitDetail, unknownStateDetail } from "./sentences.ts";
import {
  type Consequences,
  consequences,
  type Loan,
  type NewIssue,
  type PayableOrder,
  type ReportFacts,
  type StoredLoan,
} from "./types.ts";

// What a report says about a loan, and what it means before the payout.

/** The amount of a loan, as the journal has it. */
export type LoanAmount = Pick<StoredLoan, "cents" | "currency" | "amountText">;

/** A rounding error of decimals, in cents. */
const INEXACT = 0.000_001;

/**
 * The amount of a loan. An amount within half a cent of the order's total counts as the total, such
 * as 11.999999999999998 for $12.00; any other fraction of a cent is rounded down.
 */
export function lentBy(loan: Loan, total?: Cents): LoanAmount {
  const { otherAsset, cents, exactCents } = loan;
  const isWhole =
    cents !== undefined && exactCents !== undefined && Math.abs(exactCents - cents) < INEXACT;
  const amountText = isWhole ? undefined : loan.amountText;
  if (otherAsset !== undefined) return { cents, currency: codeOf(otherAsset), amountText };
  const isTotal =
    total !== undefined && exactCents !== undefined && Math.abs(exactCents - total) < 0.5;
  return { cents: isTotal ? total : cents, currency: shopCurrency.code, amountText };
}

/**
 * An asset with the code of the shop's currency that the adapter does not accept as that currency.
 */
function codeOf(asset: string): string {
  return asset === shopCurrency.code ? `another ${asset}` : asset;
}

/**
 * Whether a loan lends enough in the shop's currency to pay an order. A loan of the same amount as
 * one that pays the order lends enough too, because it may extend that loan.
 */
export function isEnough(lent: LoanAmount, total: Cents, others: readonly StoredLoan[]): boolean {
  const { cents, currency } = lent;
  if (currency !== shopCurrency.code || cents === undefined) return false;
  return cents >= total || equalPayouts(lent, others).some(({ refusal }) => refusal === undefined);
}

/** A loan as it is reported. The fields that only a payout decides stay as they were stored. */
export function reported({ loan, stored, order, now }: ReportFacts, lent: LoanAmount): StoredLoan {
  return {
    id: loan.id,
    orderId: stored?.orderId ?? order?.id,
    namedOrderId: loan.orderId,
    providerStatus: loan.providerStatus,
    state: loan.state,
    ...provenForever(loan, stored),
    cents: lent.cents,
    currency: lent.currency,
    amountText: lent.amountText,
    refusal: stored?.refusal,
    presumedExtensionAt: stored?.presumedExtensionAt,
    paidOutAt: stored?.paidOutAt,
    boundAt: stored?.boundAt ?? now,
    updatedAt: Math.max(loan.updatedAt, stored?.updatedAt ?? 0),
  };
}

function provenForever(loan: Loan, stored: StoredLoan | undefined) {
  return {
    wasActive: loan.state === "active" || stored?.wasActive === true,
    wasExtended: loan.wasExtended || stored?.wasExtended === true,
  };
}

/** The consequences for a loan that the shop stores. */
export function withStoredLoan(
  stored: StoredLoan | undefined,
  storedLoan: StoredLoan,
  parts: Partial<Consequences> = {},
): Consequences {
  const isChanged = !isDeepStrictEqual(stored, storedLoan);
  const kind = storedLoan.refusal === undefined ? "bound" : "refused";
  return consequences(kind, { ...parts, storedLoan: isChanged ? storedLoan : undefined });
}

/**
 * A report that is older than the stored one: it still proves that a loan was active or extended.
 */
export function outdated({ loan }: ReportFacts, stored: StoredLoan): Consequences {
  return withStoredLoan(stored, { ...stored, ...provenForever(loan, stored) });
}

/** A loan that has never been paid out. */
export function beforePayout(facts: ReportFacts): Consequences {
  const { loan, stored, order, others } = facts;
  if (order === undefined) return consequences("ignored");
  const lent = lentBy(loan, order.total);
  if (stored === undefined && !isEnough(lent, order.total, others))
    return consequences("refused", { newIssues: [foreseenRefusal(loan, lent, order)] });
  // An unknown status proves nothing, so it leaves the earlier state.
  const state = loan.state === "unknown" ? (stored?.state ?? "unknown") : loan.state;
  return withStoredLoan(
    stored,
    { ...reported(facts, lent), state },
    {
      move: stored?.state === state ? undefined : moveFor(state, order, others),
      newIssues: loan.state === "unknown" ? [unknownState(loan, order)] : [],
    },
  );
}

/** Staff get an email only once there is money. */
function foreseenRefusal(
  loan: Loan,
  lent: LoanAmount,
  { id: orderId, total }: PayableOrder,
): NewIssue {
  const kind = lent.currency === shopCurrency.code ? "underpaid" : "wrong-currency";
  const detail = unfitDetail(loan) ?? shortfallDetail(lent.cents, total);
  return { kind, loanId: loan.id, orderId, detail, withoutEmail: true };
}

function unknownState(loan: Loan, { id: orderId }: PayableOrder): NewIssue {
  const kind = loan.isDisputed ? "disputed" : "unrecognized";
  return { kind, loanId: loan.id, orderId, detail: unknownStateDetail(loan) };
}
