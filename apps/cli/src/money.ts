import { type Cents, formatGroupedMoney, shopCurrency, shortOrderId } from "@keepsats/domain";
import {
  type AdminEntry,
  type AdminLedger,
  type AdminOrder,
  amountsOf,
  amountsText,
  dueOnceCancelled,
  entryLabel,
  ledgerSums,
  type OrderMoveAnswer,
  openLoansIn,
} from "@keepsats/protocol";
import { type Column, formatTime, table } from "./output.ts";

/** Formats an amount such as `$1,234.50`, `-$12.00`, `12.00 EUR` or, for `null`, `unknown`. */
export function amountText(cents: Cents | null, currency: string = shopCurrency.code): string {
  if (cents === null) return "unknown";
  const text = formatGroupedMoney(Math.abs(cents), currency);
  return cents < 0 ? `-${text}` : text;
}

/** The sums of a ledger that are not 0, such as `received $90.00, kept $45.00, refund due $45.00`. */
export function sumsText(ledger: Omit<AdminLedger, "entries">): string {
  const texts = ledgerSums(ledger).map(
    ({ label, cents, currency }) => `${label.toLowerCase()} ${amountText(cents, currency)}`,
  );
  const { unknown_amounts: unknown } = ledger;
  if (unknown === 1) texts.push("received unknown");
  if (unknown > 1) texts.push(`received unknown by ${unknown} loans`);
  return texts.join(", ");
}

const columns: readonly Column<AdminEntry>[] = [
  { head: "WHEN (UTC)", cell: ({ at }) => formatTime(at) },
  { head: "MONEY", cell: entryLabel },
  { head: "AMOUNT", right: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { head: "BY", maxWidth: 20, cell: ({ by }) => by },
];

/** A journal as a table, oldest first; an empty text without entries. */
export function journalTable(entries: readonly AdminEntry[], width: number): string {
  return table(columns, entries, width, ({ loan_id, refund_id, method, reference, reason }) => {
    const loan = loan_id === null ? null : `loan ${loan_id}`;
    const refund = refund_id === null ? null : `refund ${shortOrderId(refund_id)}`;
    return [[loan, refund, method, reference, reason].filter(Boolean).join(", ") || null];
  });
}

/** The state after a refund, such as `$20.00 refunded, $25.00 is still due`. */
export function refundsText(ledger: AdminLedger): string {
  const refunded = amountsText(amountsOf(ledger, "refunded")) || "nothing";
  const due = amountsText(amountsOf(ledger, "refund_due"), ledger.unknown_amounts);
  const refundable = amountsText(amountsOf(ledger, "refundable"));
  if (due !== "") return `${refunded} refunded, ${due} is still due`;
  if (refundable !== "") return `${refunded} refunded, ${refundable} can be refunded`;
  return `${refunded} refunded, nothing more is due`;
}

/** The amounts to refund if an order is cancelled; an empty text for none. */
export function refundOnceCancelled(ledger: AdminLedger): string {
  return amountsText(dueOnceCancelled(ledger), ledger.unknown_amounts);
}

/** The refund due for a cancelled order, and its loans that may still be paid out. */
export function cancellationTexts(
  { ledger, loans }: Pick<AdminOrder, "ledger" | "loans">,
  { open_loans }: Pick<OrderMoveAnswer, "open_loans">,
): string[] {
  const texts: string[] = [];
  const due = amountsText(amountsOf(ledger, "refund_due"), ledger.unknown_amounts);
  if (due !== "") texts.push(`It was paid: you owe a refund of ${due}.`);
  // The answer about an order that was cancelled before does not name its loans.
  const openLoans = open_loans ?? openLoansIn(loans, ledger);
  if (openLoans.length > 0)
    texts.push(
      'If one of these loans is paid out, "payment-issues list" shows the refund due:',
      ...openLoans.map(({ id, provider_status }) => `  ${id}  ${provider_status ?? "unknown"}`),
    );
  return texts;
}
