import {
  type Cents,
  creditSums,
  type LinePieces,
  receiptSums,
  shopCurrency,
  sumOf,
  sumsLeft,
  type TaxedAmount,
  type VatSum,
} from "@keepsats/domain";
import type { OrderLine } from "@keepsats/protocol";
import type { AccountEntry } from "../rules/index.ts";
import type { IssuedReceipt, ReceiptContent, SoldOrder } from "./receipt-repository.ts";

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
  price,
  lines,
  waived,
}: Pick<ReceiptContent, "issued_on" | "seller"> & {
  /** The total of the order. */
  readonly price: Cents;
  readonly lines: readonly TaxedAmount[];
  readonly waived: Cents;
}): ReceiptContent {
  const reduction = waived < price ? waived : 0;
  const total = price - reduction;
  return {
    issued_on,
    seller,
    total,
    reduction,
    rates: lines.map(({ rate }) => rate),
    vat: receiptSums(lines, total),
    reason: null,
  };
}

/** What staff took off the price by accepting a smaller loan, in the entries of an order. */
export function waivedIn(entries: readonly AccountEntry[]): Cents {
  const ofAcceptance = entries.filter(({ grant }) => grant === undefined);
  return Math.max(0, sumOf(ofAcceptance, ["waived"]));
}

/** Everything that the receipt of a paid order and its credit notes depend on. */
export interface ReceiptFacts {
  readonly status: string;
  /** When the order was cancelled. */
  readonly cancelledAt: number | undefined;
  readonly entries: readonly (AccountEntry & { readonly at: number })[];
  readonly order: SoldOrder;
  /** The lines of its granted refunds. */
  readonly refundLines: readonly (LinePieces & { readonly refund_id: string })[];
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
export function missingCreditNotes(facts: ReceiptFacts): NewCreditNote[] {
  const { entries, order, refundLines, issued } = facts;
  const [receipt, ...earlier] = issued;
  if (receipt === undefined) return [];
  const { rates, vat } = receipt.content;
  const lines = order.items.map((line, index) => ({ ...line, rate: rates[index] ?? null }));
  const credited = earlier.flatMap(({ content }) => content.vat);
  const known = new Map(earlier.map(({ refundId, content }) => [refundId, content.total]));
  const missing: NewCreditNote[] = [];
  /** The part of each refund in its credit note, or in that of the refund that it repeats. */
  const noted = new Map<string, Cents>();
  let owed = 0;
  for (const entry of entries) {
    const { kind, refundId, amount, currency, grant } = entry;
    if (refundId === undefined || currency !== shopCurrency.code) continue;
    if (kind === "refund-reversed") owed += noted.get(refundId) ?? 0;
    if (kind !== "refunded") continue;
    const repeated = grant === undefined ? Math.min(amount, owed) : 0;
    owed -= repeated;
    const left = sumsLeft(vat, credited);
    const isMissing = !known.has(refundId) && lowersPrice(entry, facts);
    const total = isMissing ? Math.min(amount - repeated, totalOf(left)) : 0;
    noted.set(refundId, repeated + (known.get(refundId) ?? total));
    if (total === 0) continue;
    const taxed = refundLines.flatMap(({ refund_id, item_id, quantity }) => {
      const line = lines.find(({ id }) => id === item_id);
      if (refund_id !== refundId || line === undefined) return [];
      return [{ rate: line.rate, gross: grossOf({ ...line, quantity }) }];
    });
    const sums = creditSums(left, { amount: total, lines: taxed });
    credited.push(...sums);
    missing.push({ refundId, total, vat: sums, reason: grant ?? "cancellation" });
  }
  return missing;
}

function lowersPrice(
  { grant, refundId, at }: ReceiptFacts["entries"][number],
  { status, cancelledAt, current }: ReceiptFacts,
): boolean {
  if (grant !== undefined) return true;
  if (status !== "Cancelled") return false;
  return refundId === current || (cancelledAt !== undefined && at >= cancelledAt);
}

export function grossOf({ price, quantity }: Pick<OrderLine, "price" | "quantity">): Cents {
  return price * quantity;
}

function totalOf(sums: readonly VatSum[]): Cents {
  return sums.reduce((sum, { gross }) => sum + gross, 0);
}
