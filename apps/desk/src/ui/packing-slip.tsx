import { type Address, shortOrderId } from "@keepsats/domain";
import { AddressLines } from "./address-lines.tsx";
import { PrintHead } from "./print-head.tsx";
import { Time } from "./time.tsx";

interface PackedOrder {
  readonly id: string;
  readonly customer_name: string;
  readonly shipping_address: Address;
  readonly created_at: number;
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly quantity: number;
  }[];
}

/** The contents of an order's parcel, without prices. */
export function PackingSlip({ order }: { order: PackedOrder }) {
  return (
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
  );
}
