import { isWebAddress } from "@keepsats/domain";
import type { FollowedOrder } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/text-link.ts";
import { ExternalLink } from "lucide-react";

/**
 * How the order travels: carrier, tracking number, and a link to the carrier's page. Nothing where
 * none of them is known.
 */
export function Shipment({ order }: { order: FollowedOrder }) {
  const { carrier, tracking_number, tracking_url } = order;
  const hasPage = typeof tracking_url === "string" && isWebAddress(tracking_url);
  if (!carrier && !tracking_number && !hasPage) return null;
  return (
    <section aria-labelledby="shipment">
      <h2 id="shipment" className="mb-2 text-lg">
        Shipment
      </h2>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {carrier && (
          <div className="min-w-0">
            <dt className="text-sm text-ink-soft">Carrier</dt>
            <dd className="wrap-anywhere">{carrier}</dd>
          </div>
        )}
        {tracking_number && (
          <div className="min-w-0">
            <dt className="text-sm text-ink-soft">Tracking number</dt>
            <dd className="money whitespace-normal wrap-anywhere">{tracking_number}</dd>
          </div>
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
