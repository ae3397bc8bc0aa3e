import type { BasketLine, Cents } from "@keepsats/domain";
import { Money } from "../../ui/money.tsx";
import { SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";

/** What is bought and what it comes to. Shipping is free, so the total is the subtotal. */
export function OrderSummary({ lines, total }: { lines: readonly BasketLine[]; total: Cents }) {
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
    </section>
  );
}
