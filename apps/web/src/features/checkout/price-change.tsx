import type { Cents } from "@keepsats/domain";
import { Money } from "../../ui/money.tsx";

/**
 * Says that the order's total differs from the one that the shopper saw before placing the order.
 * Amounts in cents.
 */
export function PriceChange({ before, now }: { before: Cents; now: Cents }) {
  return (
    <p role="alert" className="mb-4 text-danger">
      Prices have changed since you filled your cart. The total was <Money cents={before} /> and is
      now <Money cents={now} />. Pay only if you agree.
    </p>
  );
}
