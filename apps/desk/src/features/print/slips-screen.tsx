import { shortOrderId } from "@keepsats/domain";
import { AddressLines } from "../../ui/address-lines.tsx";
import { Time } from "../../ui/time.tsx";
import { PrintHead } from "./print-head.tsx";
import { PrintedOrders } from "./printed-orders.tsx";

/** Packing slips: what goes into the parcel, without prices. */
export default function SlipsScreen() {
  return (
    <PrintedOrders title="Packing slips">
      {(order) => (
        <>
          <PrintHead />
          <h1 className="mb-6 text-2xl">Packing slip {shortOrderId(order.id)}</h1>
          <p className="wrap-anywhere">{order.customer_name}</p>
          <AddressLines address={order.shipping_address} />
          <p className="mt-4 wrap-anywhere text-ink-soft">
            Order {order.id}, placed <Time at={order.created_at} />
          </p>
          <ul className="mt-6 divide-y divide-line border-y border-line">
            {order.items.map(({ id, name, quantity }) => (
              <li key={id} className="flex break-inside-avoid items-start gap-4 py-2 print:py-1">
                <span aria-hidden className="mt-1 size-4 shrink-0 border border-line-strong" />
                <span className="money w-16 shrink-0">{quantity} ×</span>
                <span className="min-w-0 wrap-anywhere">{name}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </PrintedOrders>
  );
}
