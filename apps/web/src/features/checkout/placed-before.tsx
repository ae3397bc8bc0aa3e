import { shortOrderId } from "@keepsats/domain";

interface PlacedBeforeProps {
  readonly orderId: string;
  /** The basket holds something that was added after the order was placed. */
  readonly basketWaits: boolean;
}

/** Stands in the form's place when what was typed for the placed order is not in the form. */
export function PlacedBefore({ orderId, basketWaits }: PlacedBeforeProps) {
  return (
    <div className="border-y border-line py-8">
      <p className="text-lg">
        Order <span className="money font-medium">#{shortOrderId(orderId)}</span> is placed.
      </p>
      <p className="mt-1 text-ink-soft">Your details are stored with it. Go on with the payment.</p>
      {basketWaits && (
        <p className="mt-4 text-ink-soft">What you have put into your cart since then waits there.</p>
      )}
    </div>
  );
}
