import { type Cents, lineTotal, orderName, shopCurrency } from "@keepsats/domain";
import { type AdminOrder, amountsOf } from "@keepsats/protocol";
import { hasReceipt, PrintHead } from "../../ui/print.tsx";
import { AddressLines, Money, Time } from "../../ui/values.tsx";

/** What was bought and paid. An unpaid order is titled accordingly. */
export function Receipt({ order }: { order: AdminOrder }) {
  const { waived, unknown_amounts } = order.ledger;
  const received = amountsOf(order.ledger, "received");
  const refunded = amountsOf(order.ledger, "refunded");
  return (
    <>
      <PrintHead />
      <h1 className="mb-6 text-2xl">
        {hasReceipt(order) ? "Receipt" : "Unpaid order"} {orderName(order)}
      </h1>
      <p className="wrap-anywhere">{order.customer_name}</p>
      <AddressLines address={order.billing_address} />
      <p className="mt-4 wrap-anywhere text-ink-soft">
        Order {order.id}, placed <Time at={order.created_at} />
      </p>
      <table className="mt-6 w-full text-left">
        <caption className="sr-only">Items</caption>
        <thead className="border-b border-line text-sm text-ink-soft">
          <tr>
            <th scope="col" className="py-2 font-medium">
              Item
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Each
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {order.items.map((line) => (
            <tr key={line.id} className="break-inside-avoid align-baseline">
              <td className="py-2 pr-4 wrap-anywhere print:py-1">
                {line.quantity} × {line.name}
              </td>
              <td className="py-2 pl-4 text-right print:py-1">
                <Money cents={line.price} />
              </td>
              <td className="py-2 pl-4 text-right print:py-1">
                <Money cents={lineTotal(line)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="ml-auto max-w-xs break-inside-avoid">
        <Sum label="Total" cents={order.total_price} />
        {waived > 0 && <Sum label="Waived" cents={waived} />}
        {received.map(({ currency, cents }) => (
          <Sum key={currency} label="Received" cents={cents} currency={currency} />
        ))}
        {unknown_amounts > 0 && <Sum label="Received" cents={null} />}
        {received.length + unknown_amounts === 0 && <Sum label="Received" cents={0} />}
        {refunded.map(({ currency, cents }) => (
          <Sum key={currency} label="Refunded" cents={cents} currency={currency} />
        ))}
      </dl>
    </>
  );
}

interface SumProps {
  readonly label: string;
  /** `null` if it is unknown. */
  readonly cents: Cents | null;
  readonly currency?: string;
}

function Sum({ label, cents, currency = shopCurrency.code }: SumProps) {
  return (
    <div className="flex justify-between gap-4 border-t border-line py-2 font-medium">
      <dt>{label}</dt>
      <dd>
        <Money cents={cents} currency={currency} />
      </dd>
    </div>
  );
}
