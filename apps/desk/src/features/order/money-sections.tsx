import { lineTotal } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/text-link.ts";
import { Link } from "react-router";
import { acceptedText, isAcceptedAsPaid } from "../../lib/orders.ts";
import { Money } from "../../ui/money.tsx";
import { shortLoanId } from "../../ui/order-words.ts";
import { Time } from "../../ui/time.tsx";
import { loanLabel } from "./loan-labels.ts";
import { openIssues } from "./open-issues.ts";

/** What was bought. */
export function Lines({ items, total_price }: Pick<MerchantOrder, "items" | "total_price">) {
  return (
    <ul className="divide-y divide-line">
      {items.map((line) => (
        <li key={line.id} className="flex justify-between gap-x-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            <span className="money">{line.quantity}</span> × {line.name}
          </span>
          <Money cents={lineTotal(line)} />
        </li>
      ))}
      <li className="flex justify-between gap-4 py-2 font-bold">
        <span>Total</span>
        <Money cents={total_price} />
      </li>
    </ul>
  );
}

/** The loans that are bound to the order. Other loans are among its payment issues. */
export function Loans({ loans, payment_issues }: Pick<MerchantOrder, "loans" | "payment_issues">) {
  if (loans.length === 0)
    return (
      <p className="text-ink-soft">
        {payment_issues.length === 0 ? "No loan yet." : "No loan pays this order."}
      </p>
    );
  return (
    <ul className="divide-y divide-line">
      {loans.map(({ id, provider_status, state, amount, extends: earlier, bound_at }) => (
        <li key={id} className="py-2">
          <div className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{loanLabel(provider_status, state)}</span>
            {amount !== null && <Money cents={amount} />}
          </div>
          <p className="text-sm wrap-anywhere text-ink-soft">
            Loan {id}
            {earlier !== null && `, which continues ${shortLoanId(earlier)}`}, since{" "}
            <Time at={bound_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The order's money: received, refunded, and the refund due. */
export function LedgerSection({
  ledger,
  payment_issues,
}: Pick<MerchantOrder, "ledger" | "payment_issues">) {
  const isAccepted = isAcceptedAsPaid({ ledger, payment_issues });
  const sums = [
    ["Received", ledger.received],
    ["Refunded", ledger.refunded],
    ["Refund due", ledger.refund_due],
    [isAccepted ? "Waived" : "Missing", ledger.missing],
  ] as const;
  return (
    <>
      <dl className="divide-y divide-line">
        {sums
          .filter(([label, cents]) => cents > 0 || label === "Received")
          .map(([label, cents]) => (
            <div key={label} className="flex justify-between gap-4 py-2">
              <dt>{label}</dt>
              <dd>
                <Money cents={cents} />
              </dd>
            </div>
          ))}
      </dl>
      {isAccepted && <p className="pb-2">{acceptedText(ledger.missing)}</p>}
      <ul className="text-sm text-ink-soft">
        {ledger.entries.map((entry) => (
          <li
            key={entry.kind === "received" ? entry.loan_id : entry.id}
            className="py-1 wrap-anywhere"
          >
            <Money cents={entry.amount} />{" "}
            {entry.kind === "received"
              ? `received by loan ${shortLoanId(entry.loan_id)}`
              : `refunded by ${entry.by}: ${[entry.method, entry.reference].filter(Boolean).join(", ")}`}
            , <Time at={entry.at} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows the order's payment issues or the refund due, with a link to Payments. */
export function OpenIssues(order: Pick<MerchantOrder, "payment_issues" | "ledger">) {
  const { issues, refund } = openIssues(order);
  if (issues === undefined && refund === undefined) return null;
  return (
    <p className="mb-5 flex flex-wrap gap-x-2">
      {issues !== undefined && <span className="font-medium text-danger">{issues}</span>}
      {refund !== undefined && <span className="font-medium">{refund}</span>}
      <Link to="/payments" className={textLink}>
        {issues === undefined ? "Go to Payments" : "What happened and what to do"}
      </Link>
    </p>
  );
}
