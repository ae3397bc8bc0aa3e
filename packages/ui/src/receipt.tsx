import {
  cartTotal,
  formatGroupedMoney,
  formatVatRate,
  lineTotal,
  receiptNumber,
} from "@keepsats/domain";
import type { Receipt } from "@keepsats/protocol";
import { AddressLines } from "./address-lines.tsx";
import { printedPage } from "./classes.ts";

const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

export function dayText(day: string): string {
  return longDate.format(Date.parse(day));
}

/** A reason of a newer server is not shown. */
const reasons: Readonly<Record<string, string>> = {
  return: "For returned items",
  goodwill: "As goodwill",
  cancellation: "For the cancelled order",
};

/** Example: `Credit note C-10023-1`. */
export function receiptTitle({ kind, number }: Pick<Receipt, "kind" | "number">): string {
  return `${kind === "receipt" ? "Receipt" : "Credit note"} ${number}`;
}

/** Name, postal address and tax number of the seller. */
export function SellerLines({ seller }: Pick<Receipt, "seller">) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="font-bold">{seller.name}</p>
      {seller.address !== null && <p className="whitespace-pre-line">{seller.address}</p>}
      {seller.tax_number !== null && <p>Tax number {seller.tax_number}</p>}
    </div>
  );
}

/** A receipt or a credit note on a page of its own. */
export function ReceiptPage({ receipt }: { receipt: Receipt }) {
  const { kind, order_number, issued_on, customer_name, lines, vat, reason } = receipt;
  const isCredit = kind === "credit-note";
  const hasRates = new Set(lines.map(({ vat_rate }) => vat_rate)).size > 1;
  const price = cartTotal(lines);
  return (
    <article aria-label={receiptTitle(receipt)} className={printedPage}>
      <SellerLines seller={receipt.seller} />
      <h2 className="mt-6 text-2xl">{receiptTitle(receipt)}</h2>
      <p className="mb-6">
        {dayText(issued_on)}
        {isCredit && `, for receipt ${receiptNumber(order_number)}`}, order {order_number}
      </p>
      {customer_name !== "" && (
        <p className="wrap-anywhere">
          <AddressLines name={customer_name} address={receipt.billing_address} />
        </p>
      )}
      <ul className="mt-6 divide-y divide-line border-b border-line">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
          <li key={index} className="flex break-inside-avoid justify-between gap-4 py-2 print:py-1">
            <span className="min-w-0 wrap-anywhere">
              {line.quantity} × {line.name}
              {hasRates && line.vat_rate !== null && ` (${formatVatRate(line.vat_rate)} VAT)`}
              {line.quantity > 1 && `, ${formatGroupedMoney(line.price)} each`}
            </span>
            <span className="money">{formatGroupedMoney(lineTotal(line))}</span>
          </li>
        ))}
      </ul>
      <dl className="ml-auto max-w-xs break-inside-avoid">
        {receipt.reduction > 0 && (
          <Sum label="Price reduction" amount={`−${formatGroupedMoney(receipt.reduction)}`} />
        )}
        {isCredit && price > receipt.total && (
          <Sum label="Not credited" amount={`−${formatGroupedMoney(price - receipt.total)}`} />
        )}
        <Sum
          label={isCredit ? "Credited" : "Total"}
          amount={formatGroupedMoney(receipt.total)}
          isStrong
        />
        {vat.map((of) => (
          <Sum
            key={of.rate}
            label={`Includes ${formatVatRate(of.rate)} VAT of ${formatGroupedMoney(of.gross)}:`}
            amount={formatGroupedMoney(of.vat)}
          />
        ))}
      </dl>
      <p className="mt-6">{isCredit ? reasons[reason ?? ""] : "Paid with a Bitcoin-backed loan"}</p>
    </article>
  );
}

interface SumProps {
  readonly label: string;
  readonly amount: string;
  readonly isStrong?: boolean;
}

function Sum({ label, amount, isStrong = false }: SumProps) {
  return (
    <div className={`flex justify-between gap-4 py-1 ${isStrong ? "font-bold" : ""}`}>
      <dt>{label}</dt>
      <dd className="money">{amount}</dd>
    </div>
  );
}
