import {
  type Cents,
  creditSums,
  receiptSums,
  shopCurrency,
  sumOf,
  sumsLeft,
  type VatRate,
  type VatSum,
} from "@keepsats/domain";
import type { AccountEntry } from "../rules.ts";
import type { IssuedReceipt, ReceiptContent, SoldLine } from "./receipt-repository.ts";

/**
 * What a receipt states. It has the price of the order, less what staff waived to accept a smaller
 * loan. Money that is not of this price, such as a second payout, is in no receipt.
 *
 * @param waived more than a part of the price means that the loan was of another currency, or of an
 *   unknown amount; then the receipt has the whole price
 */
export function receiptContent({
  issued_on,
  seller,
  lines,
  rates,
  waived,
}: Pick<ReceiptContent, "issued_on" | "seller"> & {
  readonly lines: readonly SoldLine[];
  /** By line. */
  readonly rates: readonly (VatRate | null)[];
  readonly waived: Cents;
}): ReceiptContent {
  const price = lines[0]?.total ?? 0;
  const reduction = waived < price ? waived : 0;
  const total = price - reduction;
  const taxed = lines.map((line, index) => ({ rate: rates[index] ?? null, gross: grossOf(line) }));
  return {
    issued_on,
    seller,
    total,
    reduction,
    rates: [...rates],
    vat: receiptSums(taxed, total),
    reason: null,
  };
}

/** What staff took off the price by accepting a smaller loan, in the entries of an order. */
export function waivedIn(entries: readonly AccountEntry[]): Cents {
  const ofAcceptance = entries.filter(({ grant }) => grant === undefined);
  return Math.max(0, sumOf(ofAcceptance, ["waived"]));
}

/** The pieces of an order's line that a refund names. */
export interface RefundedPieces {
  readonly refund_id: string;
  readonly item_id: string;
  readonly quantity: number;
}

/** Everything that the credit notes of an order depend on. */
export interface CreditFacts {
  readonly status: string;
  /** When the order was cancelled. */
  readonly cancelledAt: number | undefined;
  readonly entries: readonly (AccountEntry & { readonly at: number })[];
  readonly lines: readonly SoldLine[];
  readonly refundLines: readonly RefundedPieces[];
  /** The receipt and the credit notes so far. */
  readonly issued: readonly IssuedReceipt[];
  /** The refund that is being recorded now. */
  readonly current?: string | undefined;
}

export interface NewCreditNote extends Pick<ReceiptContent, "total" | "vat" | "reason"> {
  readonly refundId: string;
}

/**
 * The credit notes that are missing, oldest first. A refund lowers the price if it was granted, or
 * if the order was cancelled before; all together at most by the price of the receipt. A refund that
 * did not arrive keeps its credit note: the money is still owed, and its repetition gets none.
 */
export function missingCreditNotes(facts: CreditFacts): NewCreditNote[] {
  const { entries, lines, refundLines, issued } = facts;
  const [receipt, ...earlier] = issued;
  if (receipt === undefined) return [];
  const { rates, vat } = receipt.content;
  const credited = earlier.flatMap(({ content }) => content.vat);
  const known = new Set(earlier.map(({ refundId }) => refundId));
  const missing: NewCreditNote[] = [];
  for (const entry of entries) {
    const { refundId, amount, grant } = entry;
    if (refundId === undefined || known.has(refundId) || !lowersPrice(entry, facts)) continue;
    const left = sumsLeft(vat, credited);
    const total = Math.min(amount, totalOf(left));
    if (total === 0) continue;
    const taxed = refundLines.flatMap(({ refund_id, item_id, quantity }) => {
      const index = lines.findIndex(({ itemId }) => itemId === item_id);
      const line = refund_id === refundId ? lines[index] : undefined;
      if (line === undefined) return [];
      return [{ rate: rates[index] ?? null, gross: grossOf({ ...line, quantity }) }];
    });
    const sums = creditSums(left, { amount: total, lines: taxed });
    credited.push(...sums);
    missing.push({ refundId, total, vat: sums, reason: grant ?? "cancellation" });
  }
  return missing;
}

function lowersPrice(
  { kind, grant, currency, refundId, at }: CreditFacts["entries"][number],
  { status, cancelledAt, current }: CreditFacts,
): boolean {
  if (kind !== "refunded" || currency !== shopCurrency.code) return false;
  if (grant !== undefined) return true;
  if (status !== "Cancelled") return false;
  return refundId === current || (cancelledAt !== undefined && at >= cancelledAt);
}

function grossOf({ price, quantity }: Pick<SoldLine, "price" | "quantity">): Cents {
  return price * quantity;
}

function totalOf(sums: readonly VatSum[]): Cents {
  return sums.reduce((sum, { gross }) => sum + gross, 0);
}
