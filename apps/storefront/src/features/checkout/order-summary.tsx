import { type CartLine, cartCount, type OrderPrice } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { type ReactNode, useState } from "react";
import { Money } from "../../ui/money.tsx";
import { ShippingRow, SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";
import { Disclosure } from "./disclosure.tsx";

interface OrderSummaryProps {
  readonly lines: readonly CartLine[];
  /** By item id. */
  readonly pictures: ReadonlyMap<string, string>;
  readonly price: OrderPrice;
  /** Such as "Only 2 left"; `undefined` if there are enough. */
  readonly shortageOf: (line: CartLine) => string | undefined;
  /** The link to the cart, while the order is not placed. */
  readonly edit?: ReactNode;
}

/** In narrow windows it is collapsed to one line, so that the form is visible. */
export function OrderSummary({ lines, pictures, price, shortageOf, edit }: OrderSummaryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = cartCount(lines);
  const shortages = lines.flatMap((line) => {
    const shortage = shortageOf(line);
    return shortage === undefined ? [] : { id: line.id, text: `${line.name}: ${shortage}` };
  });
  return (
    <section aria-labelledby="summary">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="summary" className="text-xl">
          Order Summary
        </h2>
        {edit}
      </div>
      <div className="mt-2">
        <Disclosure
          isOpen={isOpen}
          controls="summary-content"
          onToggle={() => setIsOpen(!isOpen)}
          label={`${count} ${count === 1 ? "item" : "items"}`}
          value={<Money cents={price.total} className="ml-auto font-bold" />}
        />
      </div>
      <div id="summary-content" className={classes("lg:mt-2", !isOpen && "max-lg:hidden")}>
        <SummaryLines lines={lines} pictures={pictures} />
        <dl className="border-t border-line pt-3">
          <SummaryRow label="Subtotal">
            <Money cents={price.subtotal} />
          </SummaryRow>
          <ShippingRow cents={price.shipping} />
          <SummaryTotal total={price.total} />
        </dl>
      </div>
      {shortages.length > 0 && (
        <ul className="mt-2 text-sm text-danger wrap-anywhere">
          {shortages.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
