import type { AdminOrder, PackingOrder } from "@keepsats/protocol";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { AddressBlock, Time } from "../../ui/values.tsx";
import { CopyAddress } from "./copy-address.tsx";

/** Packers get no email address and no billing address. */
type ShownOrder = PackingOrder & Partial<Pick<AdminOrder, "customer_email" | "billing_address">>;

export function CustomerAndShipment({ order }: { order: ShownOrder }) {
  if (order.erased_at !== null)
    return (
      <p className="text-ink-soft">
        Name, email and addresses were erased on <Time at={order.erased_at} />.
      </p>
    );
  const { tracking_url: trackingUrl, customer_email, billing_address } = order;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="wrap-anywhere">
        <h3 className="text-sm text-ink-soft">Customer</h3>
        <p>{order.customer_name}</p>
        {customer_email !== undefined && (
          <a href={`mailto:${encodeURIComponent(customer_email)}`} className={textLink}>
            {customer_email}
          </a>
        )}
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
        <AddressBlock address={order.shipping_address} />
        <div className="pt-3">
          <CopyAddress order={order} />
        </div>
      </div>
      {billing_address !== undefined && (
        <div>
          <h3 className="text-sm text-ink-soft">Billed to</h3>
          <AddressBlock address={billing_address} />
        </div>
      )}
    </div>
  );
}
