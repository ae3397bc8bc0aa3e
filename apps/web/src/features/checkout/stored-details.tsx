import { shortOrderId } from "@keepsats/domain";

interface StoredDetailsProps {
  readonly orderId: string;
  /** The basket holds something that was added after the order was placed. */
  readonly hasNewItems: boolean;
}

/**
 * Replaces the form when the form does not hold the details of the placed order, for example after
 * a reload.
 */
export function StoredDetails({ orderId, hasNewItems }: StoredDetailsProps) {
  return (
    <div className="border-y border-line py-8">
      <p className="text-lg">
        Order <span className="money font-medium">#{shortOrderId(orderId)}</span> is placed.
      </p>
      <p className="mt-1 text-ink-soft">Your details are saved with it.</p>
      {hasNewItems && (
        <p className="mt-4 text-ink-soft">Items that you added later are still in your cart.</p>
      )}
    </div>
  );
}
