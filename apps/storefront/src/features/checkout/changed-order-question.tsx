import { piecesText, shortOrderId } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import { Money } from "../../ui/money.tsx";
import type { ChangedLine, ChangedOrder } from "./changed-order.ts";
import type { ReplaceableOrder } from "./open-purchase.ts";

interface ChangedOrderQuestionProps {
  readonly changed: ChangedOrder;
  /** An unpaid order that holds missing pieces, which `changed` has. */
  readonly replaceable: ReplaceableOrder | undefined;
  /** Places the lines that can be bought, at current prices, and cancels the replaceable order. */
  readonly onAccept: () => void;
  readonly onChangeCart: () => void;
}

/** Shows the changes of an order and asks whether to place it. It takes the focus. */
export function ChangedOrderQuestion({
  changed,
  replaceable,
  onAccept,
  onChangeCart,
}: ChangedOrderQuestionProps) {
  const { lines, totalBefore, buyable, total } = changed;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isBuyable = buyable.length > 0;
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "nearest" });
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section
      ref={section}
      aria-labelledby="changed-order"
      className="mt-4 animate-arrive rounded-lg bg-sunken p-5"
    >
      <h2 id="changed-order" ref={heading} tabIndex={-1} className="text-xl">
        {headingOf(changed, replaceable)}
      </h2>
      {replaceable && (
        <p className="mt-2 text-ink-soft">
          It has {replaceable.items.map(piecesText).join(", ")}, and is not paid. If you replace it,
          it is cancelled and can no longer be paid.
        </p>
      )}
      {lines.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {lines.map((changedLine) => (
            <li key={changedLine.line.id} className="py-2.5">
              <p className="font-medium wrap-anywhere">{changedLine.line.name}</p>
              <LineChange {...changedLine} />
            </li>
          ))}
        </ul>
      )}
      {isBuyable && (
        <dl className="mt-2 flex flex-wrap justify-between gap-x-4 border-t border-line-strong pt-3 text-lg font-bold">
          <dt>Total</dt>
          <dd>
            {totalBefore !== total && (
              <Before>
                <Money cents={totalBefore} />
              </Before>
            )}
            <Money cents={total} />
          </dd>
        </dl>
      )}
      <div className="mt-5 grid gap-3 sm:flex sm:flex-wrap">
        <Button onClick={onChangeCart}>Change cart</Button>
        {isBuyable && (
          <Button kind="forward" className="sm:px-8" onClick={onAccept}>
            <span>
              {replaceable ? "Replace that order for " : "Place it for "}
              <Money cents={total} />
            </span>
          </Button>
        )}
      </div>
    </section>
  );
}

function headingOf({ buyable }: ChangedOrder, replaceable: ReplaceableOrder | undefined): string {
  if (replaceable) return `Your order #${shortOrderId(replaceable.id)} holds the missing items`;
  return buyable.length > 0
    ? "Your order has changed since you filled your cart"
    : "None of these items are available now";
}

function LineChange({ line, available, price }: ChangedLine) {
  const before = (
    <Before>
      {line.quantity} × <Money cents={line.price} />
    </Before>
  );
  if (price === undefined) return <p>{before}No longer available</p>;
  if (available === 0) return <p>{before}Sold out</p>;
  return (
    <p>
      {before}
      <span className="money">{available}</span> × <Money cents={price} />
      {available < line.quantity && <span className="text-ink-soft"> (only {available} left)</span>}
    </p>
  );
}

/** An outdated value, struck through; screen readers read "before" and "now". */
function Before({ children }: { children: ReactNode }) {
  return (
    <>
      <span className="sr-only">before: </span>
      <s className="mr-3 font-normal text-ink-soft">{children}</s>
      <span className="sr-only">now: </span>
    </>
  );
}
