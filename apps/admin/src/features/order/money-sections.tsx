import type { Cents } from "@keepsats/domain";
import { type AdminOrder, paths, withId } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import type { OrderView } from "../../lib/queries.ts";
import { Journal } from "../../ui/journal.tsx";
import { Money, Time } from "../../ui/values.tsx";
import { loanLabel } from "./loan-labels.ts";
import { ledgerRows, openIssues } from "./order-money.ts";

type Line = OrderView["items"][number] & { readonly price?: Cents };

interface LinesProps extends Partial<Pick<AdminOrder, "total_price" | "refund_lines">> {
  readonly items: readonly Line[];
}

/** The items of an order, with the prices that the role may see. */
export function Lines({ items, total_price, refund_lines = [] }: LinesProps) {
  const refunded = (id: string) =>
    refund_lines.reduce((sum, { item_id, quantity }) => sum + (item_id === id ? quantity : 0), 0);
  return (
    <ul className="divide-y divide-line">
      {items.map((line) => (
        <li key={line.id} className="flex justify-between gap-x-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            <span className="money">{line.quantity}</span> × {line.name}
            {refunded(line.id) > 0 && (
              <span className="block text-sm text-ink-soft">{refunded(line.id)} refunded</span>
            )}
          </span>
          {line.price !== undefined && <Money cents={line.price * line.quantity} />}
        </li>
      ))}
      {total_price !== undefined && (
        <li className="flex justify-between gap-4 py-2 font-bold">
          <span>Total</span>
          <Money cents={total_price} />
        </li>
      )}
    </ul>
  );
}

/** The loans bound to the order. Other loans are among its payment issues. */
export function Loans({ loans, payment_issues }: Pick<AdminOrder, "loans" | "payment_issues">) {
  if (loans.length === 0)
    return (
      <p className="text-ink-soft">
        {payment_issues.length === 0 ? "No loan yet." : "No loan pays this order."}
      </p>
    );
  return (
    <ul className="divide-y divide-line">
      {loans.map(({ id, provider_status, state, amount, currency, is_extension, bound_at }) => (
        <li key={id} className="py-2">
          <div className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{loanLabel(provider_status, state)}</span>
            <Money cents={amount} currency={currency} />
          </div>
          <p className="text-sm wrap-anywhere text-ink-soft">
            Loan {id}
            {is_extension && ", extends another loan, no new money"}, since <Time at={bound_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export function LedgerSection({ order }: { order: AdminOrder }) {
  return (
    <>
      <dl className="mb-5 divide-y divide-line">
        {ledgerRows(order.ledger).map(({ label, cents, currency }) => (
          <div key={`${label} ${currency}`} className="flex justify-between gap-4 py-2">
            <dt>{label}</dt>
            <dd>
              <Money cents={cents} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      <Journal refundsPath={withId(paths.admin.refunds, order.id)} entries={order.ledger.entries} />
    </>
  );
}

/** The open payment issues and the refund due, with a link to Payments. */
export function OpenIssues({ order }: { order: AdminOrder }) {
  const { issues, refund } = openIssues(order);
  if (issues === undefined && refund === undefined) return null;
  return (
    <p className="mb-5 flex flex-wrap gap-x-2">
      {issues !== undefined && <span className="font-medium text-danger">{issues}</span>}
      {refund !== undefined && <span className="font-medium">{refund}</span>}
      <Link to="/payments" className={textLink}>
        {issues === undefined ? "Go to Payments" : "Details and next steps"}
      </Link>
    </p>
  );
}
