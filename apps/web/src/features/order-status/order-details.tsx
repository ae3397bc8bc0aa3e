import { priceOfPlaced } from "@keepsats/domain";
import type { FollowedOrder } from "@keepsats/protocol";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { ShippingRow, SummaryLines, SummaryTotal } from "../../ui/summary.tsx";

const longDate = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", day: "numeric" });

interface OrderDetailsProps {
  readonly order: FollowedOrder;
  /** The addresses of the items' pictures by item id. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** Items and total, shipping address, order date and contact e-mail. */
export function OrderDetails({ order, pictures }: OrderDetailsProps) {
  const withheld = order.withheld === true;
  const { shipping } = priceOfPlaced(order.items, order.total_price);
  const { street, city, state, postal_code, country } = order.shipping_address;
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
          {withheld ? (
            <Withheld />
          ) : (
            <address className="break-words not-italic">
              {order.customer_name}
              <br />
              {street}
              <br />
              {city}, {state} {postal_code}
              <br />
              {country}
            </address>
          )}
        </div>
        <dl className="space-y-4">
          <Detail label="Order Date">{longDate.format(order.created_at)}</Detail>
          <Detail label="Your contact e-mail">{withheld ? <Withheld /> : order.customer_email}</Detail>
        </dl>
      </section>
    </div>
  );
}

/**
 * Replaces name, address and e-mail on a page without the order's key. The server withholds them until the contract in the
 * page's address has paid the order.
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
