import { type CartLine, cartCount, type OrderPrice } from "@keepsats/domain";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { Link } from "../../lib/router.tsx";
import { shortageOf } from "../../lib/stock.ts";
import { Money } from "../../ui/money.tsx";
import { ShippingRow, SummaryLines, SummaryRow, SummaryTotal } from "../../ui/summary.tsx";
import { useStockWithHeld } from "./checkout-session.ts";
import { Disclosure } from "./disclosure.tsx";

interface OrderSummaryProps {
  readonly lines: readonly CartLine[];
  readonly price: OrderPrice;
  readonly isPlaced: boolean;
}

/**
 * The lines and the price. Until the order is placed, also the items that are short and a link to
 * the cart, which is below all products in narrow windows. There the summary is collapsed to one
 * line, so that the form is visible.
 */
export function OrderSummary({ lines, price, isPlaced }: OrderSummaryProps) {
  const count = cartCount(lines);
  const stock = useStockWithHeld();
  const shortages = (isPlaced ? [] : lines).flatMap((line) => {
    const shortage = shortageOf(line, stock);
    return shortage === undefined ? [] : { id: line.id, text: `${line.name}: ${shortage}` };
  });
  return (
    <section aria-labelledby="summary">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="summary" className="text-xl">
          Order Summary
        </h2>
        {!isPlaced && (
          <Link
            to="/#cart"
            className={classes(textLink, "-my-2.5 inline-flex min-h-11 items-center")}
          >
            Edit cart
          </Link>
        )}
      </div>
      <div className="mt-2">
        <Disclosure
          label={`${count} ${count === 1 ? "item" : "items"}`}
          value={<Money cents={price.total} className="ml-auto font-bold" />}
          className="lg:mt-2"
        >
          <SummaryLines lines={lines} />
          <dl className="border-t border-line pt-3">
            <SummaryRow label="Subtotal">
              <Money cents={price.subtotal} />
            </SummaryRow>
            <ShippingRow cents={price.shipping} />
            <SummaryTotal total={price.total} />
          </dl>
        </Disclosure>
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
