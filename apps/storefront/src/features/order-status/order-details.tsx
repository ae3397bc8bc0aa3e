import { isWebAddress, priceOfPlaced } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import { AddressLines } from "@keepsats/ui/address-lines.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { ExternalLink, Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { KeyedLink } from "../../lib/order-link.ts";
import { Money } from "../../ui/money.tsx";
import { ShippingRow, SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";
import { CorrectAddress } from "./correct-address.tsx";
import { statusText } from "./status-labels.ts";

export const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

interface OrderDetailsProps {
  readonly order: SubscribedOrder;
  /** `undefined` without the order's key: then the address cannot be corrected. */
  readonly link: KeyedLink | undefined;
}

/** In print it also has the status and the billing address. */
export function OrderDetails({ order, link }: OrderDetailsProps) {
  const missing = missingNotice(order);
  const { shipping } = priceOfPlaced(order.items, order.total_price);
  return (
    <div className="grid gap-x-16 gap-y-10 md:grid-cols-2">
      <section aria-labelledby="order-summary" className="min-w-0">
        <h2 id="order-summary" className="mb-2 text-lg">
          Order Summary
        </h2>
        <SummaryLines lines={order.items} />
        <dl>
          {shipping !== 0 && <ShippingRow cents={shipping} />}
          <SummaryTotal total={order.total_price} />
          {order.refunded !== undefined && order.refunded > 0 && (
            <SummaryRow label="Refunded">
              <Money cents={order.refunded} />
            </SummaryRow>
          )}
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
          {link && <CorrectAddress link={link} order={order} />}
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
          <Detail label="Your contact email">{missing ?? order.customer_email}</Detail>
        </dl>
      </section>
    </div>
  );
}

/** Carrier, tracking number and a link to the carrier's page, as far as they are known. */
export function Shipment({ order }: { order: SubscribedOrder }) {
  const { carrier, tracking_number, tracking_url } = order;
  const hasPage = typeof tracking_url === "string" && isWebAddress(tracking_url);
  if (!carrier && !tracking_number && !hasPage) return null;
  return (
    <section aria-labelledby="shipment">
      <h2 id="shipment" className="mb-2 text-lg">
        Shipment
      </h2>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {carrier && <Detail label="Carrier">{carrier}</Detail>}
        {tracking_number && (
          <Detail label="Tracking number">
            <span className="money whitespace-normal">{tracking_number}</span>
          </Detail>
        )}
      </dl>
      {hasPage && (
        <p className="mt-2 print:hidden">
          <a
            href={tracking_url}
            target="_blank"
            rel="noopener noreferrer"
            className={`${textLink} inline-flex min-h-11 items-center gap-2`}
          >
            Track the parcel
            <ExternalLink aria-hidden size={16} />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      )}
    </section>
  );
}

/**
 * Replaces the personal data of an order without them; `null` for any other order. Without the
 * order's key, the server withholds them until the loan in the URL has paid the order.
 */
function missingNotice({ withheld, erased_at }: SubscribedOrder): ReactNode {
  if (typeof erased_at === "number")
    return (
      <span className="text-ink-soft">Erased by the shop on {longDate.format(erased_at)}</span>
    );
  if (withheld !== true) return null;
  return (
    <span className="flex items-center gap-2 text-ink-soft">
      <Lock aria-hidden size={16} className="shrink-0" />
      Shown once the order is paid
    </span>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
