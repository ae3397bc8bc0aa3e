import type { BasketLine, Cents, OrderPrice } from "@keepsats/domain";
import { Money } from "../../ui/money.tsx";
import { ShippingRow, SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";

interface OrderSummaryProps {
  readonly lines: readonly BasketLine[];
  readonly price: OrderPrice;
  /** What the shopper has seen, where the shop's prices had changed since. */
  readonly totalBefore?: Cents | undefined;
}

/** What is bought and what it costs. */
export function OrderSummary({ lines, price, totalBefore }: OrderSummaryProps) {
  return (
    <section aria-labelledby="summary">
      <h2 id="summary" className="mb-2 text-xl">
        Order Summary
      </h2>
      <SummaryLines lines={lines} />
      <dl className="border-t border-line pt-3">
        <SummaryRow label="Subtotal">
          <Money cents={price.subtotal} />
        </SummaryRow>
        <ShippingRow cents={price.shipping} />
        <SummaryTotal total={price.total} />
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
