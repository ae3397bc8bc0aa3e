import { awaitsPayment, orderName } from "@keepsats/domain";
import type { PackingOrder } from "@keepsats/protocol";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { SellerLines } from "@keepsats/ui/receipt.tsx";
import { useSession } from "../lib/session.ts";
import { AddressBlock, Time } from "./values.tsx";

export function PrintLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={buttonClasses("plain")}>
      {children}
    </a>
  );
}

/** Whether an order has a packing slip: it is paid and not cancelled. */
export function hasSlip({ status }: { readonly status: string }): boolean {
  return status !== "Cancelled" && !awaitsPayment(status);
}

/** Whether an order has a receipt: it was paid, even if it was cancelled since. */
export function hasReceipt({
  events,
}: {
  readonly events: readonly { readonly to: string }[];
}): boolean {
  return events.some(({ to }) => to === "PaymentProcessed");
}

/** The letterhead: logo, seller and contact of the shop. */
function PrintHead() {
  const { shop_name, shop_url, shop_contact, shop_logo, shop_seller } = useSession();
  const seller = shop_seller ?? { name: shop_name, address: null, tax_number: null };
  const logo =
    shop_logo && URL.canParse(shop_logo, shop_url) ? new URL(shop_logo, shop_url).href : undefined;
  return (
    <header className="mb-4 flex items-center gap-4">
      {logo !== undefined && <img src={logo} alt="" className="size-14 shrink-0 object-contain" />}
      <div className="min-w-0 wrap-anywhere">
        <SellerLines seller={seller} />
        <p className="text-sm text-ink-soft">{shop_contact ?? shop_url}</p>
      </div>
    </header>
  );
}

export function PackingSlip({ order }: { order: PackingOrder }) {
  return (
    <>
      <PrintHead />
      <h1 className="mb-6 text-2xl">Packing slip {orderName(order)}</h1>
      <p className="wrap-anywhere">{order.customer_name}</p>
      <AddressBlock address={order.shipping_address} />
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
