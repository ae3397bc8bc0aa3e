import type { AdminOrder } from "@keepsats/protocol";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { AddressLines, Time } from "../../ui/values.tsx";

/** Customer, addresses and shipment. */
export function People({ order }: { order: AdminOrder }) {
  if (order.erased_at !== null)
    return (
      <p className="text-ink-soft">
        Name, email and addresses were erased on <Time at={order.erased_at} />.
      </p>
    );
  const trackingUrl = order.tracking_url;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="wrap-anywhere">
        <h3 className="text-sm text-ink-soft">Customer</h3>
        <p>{order.customer_name}</p>
        <a href={`mailto:${encodeURIComponent(order.customer_email)}`} className={textLink}>
          {order.customer_email}
        </a>
      </div>
      <div className="wrap-anywhere">
        <h3 className="text-sm text-ink-soft">Shipment</h3>
        <p>{[order.carrier, order.tracking_number].filter(Boolean).join(", ") || "No tracking"}</p>
        {trackingUrl !== null && (
          <a
            href={trackingUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={classes(textLink, "line-clamp-3")}
          >
            {trackingUrl}
          </a>
        )}
      </div>
      <div>
        <h3 className="text-sm text-ink-soft">Ships to</h3>
        <AddressLines address={order.shipping_address} />
      </div>
      <div>
        <h3 className="text-sm text-ink-soft">Billed to</h3>
        <AddressLines address={order.billing_address} />
      </div>
    </div>
  );
}
