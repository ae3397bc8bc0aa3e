import { type Address, priceOfPlaced } from "@keepsats/domain";
import type { FollowedOrder } from "@keepsats/protocol";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { ShippingRow, SummaryLines, SummaryTotal } from "../../ui/summary.tsx";
import { statusText } from "./status-texts.ts";

const longDate = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "long",
  day: "numeric",
});

interface OrderDetailsProps {
  readonly order: FollowedOrder;
  /** The addresses of the items' pictures by item id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The button that corrects the shipping address. */
  readonly correctAddress: ReactNode;
}

/**
 * Items and total, shipping address, order date and contact e-mail; in print also the billing
 * address.
 */
export function OrderDetails({ order, pictures, correctAddress }: OrderDetailsProps) {
  const missing = whyMissing(order);
  const { shipping } = priceOfPlaced(order.items, order.total_price);
  return (
    <div className="grid gap-x-16 gap-y-10 md:grid-cols-2">
      <section aria-labelledby="order-summary" className="min-w-0">
        <h2 id="order-summary" className="mb-2 text-lg">
          Order Summary
        </h2>
        <SummaryLines lines={order.items} pictures={pictures} />
        <dl>
          {shipping !== 0 && <ShippingRow cents={shipping} />}
          <SummaryTotal total={order.total_price} />
        </dl>
      </section>
      <section aria-labelledby="shipping" className="min-w-0 space-y-6">
        <div>
          <h2 id="shipping" className="mb-2 text-lg">
            Shipping Information
          </h2>
          {missing ?? (
            <address className="break-words not-italic">
              <AddressLines name={order.customer_name} address={order.shipping_address} />
            </address>
          )}
          {correctAddress}
        </div>
        {missing === null && order.billing_address !== undefined && (
          <div className="hidden print:block">
            <h2 className="mb-2 text-lg">Billing Address</h2>
            <p className="break-words">
              <AddressLines name={order.customer_name} address={order.billing_address} />
            </p>
          </div>
        )}
        <dl className="space-y-4">
          <div className="hidden print:block">
            <Detail label="Status">{statusText(order.status).title}</Detail>
          </div>
          <Detail label="Order Date">{longDate.format(order.created_at)}</Detail>
          <Detail label="Your contact e-mail">{missing ?? order.customer_email}</Detail>
        </dl>
      </section>
    </div>
  );
}

/** What is shown in place of name, address and e-mail, if the order comes without them. */
function whyMissing({ withheld, erased_at }: FollowedOrder): ReactNode {
  if (typeof erased_at === "number")
    return (
      <span className="text-ink-soft">Erased by the shop on {longDate.format(erased_at)}</span>
    );
  return withheld === true ? <Withheld /> : null;
}

function AddressLines({ name, address }: { name: string; address: Address }) {
  const { street, city, state, postal_code, country } = address;
  return (
    <>
      {name}
      <br />
      {street}
      <br />
      {city}, {state} {postal_code}
      <br />
      {country}
    </>
  );
}

/**
 * Replaces name, address and e-mail on a page without the order's key. The server withholds them
 * until the contract in the page's address has paid the order.
 */
function Withheld() {
  return (
    <span className="flex items-center gap-2 text-ink-soft">
      <Lock aria-hidden size={16} className="shrink-0" />
      Shown once the order is paid
    </span>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
