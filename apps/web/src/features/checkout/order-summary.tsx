import type { BasketLine, Cents } from "@keepsats/domain";
import { Money } from "../../ui/money.tsx";
import { SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";

interface OrderSummaryProps {
  readonly lines: readonly BasketLine[];
  readonly total: Cents;
  /** What the shopper has seen, where the shop's prices had changed since. */
  readonly totalBefore?: Cents | undefined;
}

/** What is bought and what it comes to. Shipping is free, so the total is the subtotal. */
export function OrderSummary({ lines, total, totalBefore }: OrderSummaryProps) {
  return (
    <section aria-labelledby="summary">
      <h2 id="summary" className="mb-2 text-xl">
        Order Summary
      </h2>
      <SummaryLines lines={lines} />
      <dl className="border-t border-line pt-3">
        <SummaryRow label="Subtotal">
          <Money cents={total} />
        </SummaryRow>
        <SummaryRow label="Shipping">Free</SummaryRow>
        <SummaryTotal total={total} />
      </dl>
      {totalBefore !== undefined && (
        <p role="alert" className="mt-3 text-danger">
          Prices have changed since you filled your cart. The total was <Money cents={totalBefore} />; pay
          only if you agree.
        </p>
      )}
    </section>
  );
}
