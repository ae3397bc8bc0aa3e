import { piecesText, shortOrderId } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import { Money } from "../../ui/money.tsx";
import type { ChangedLine, ChangedOrder } from "./changed-order.ts";
import type { Replacement } from "./use-place-order.ts";

interface ChangedOrderQuestionProps {
  readonly changed: ChangedOrder;
  /** A saved unpaid order with missing pieces. */
  readonly replacement: Replacement | undefined;
  /** Places the lines that can be bought, at current prices. */
  readonly onAccept: () => void;
  /** Cancels the saved order and places the new one with its pieces. */
  readonly onReplace: (replacement: Replacement) => void;
  readonly onChangeCart: () => void;
}

/** Shows the changes of an order and asks whether to place it. It takes the focus. */
export function ChangedOrderQuestion({
  changed,
  replacement,
  onAccept,
  onReplace,
  onChangeCart,
}: ChangedOrderQuestionProps) {
  const { lines, totalBefore, buyable, total } = replacement?.changed ?? changed;
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
        {headingOf(changed, replacement)}
      </h2>
      {replacement && (
        <p className="mt-2 text-ink-soft">
          It has {heldText(changed, replacement)}, and is not paid. If you replace it, it is
          cancelled and can no longer be paid.
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
        {replacement && changed.buyable.length > 0 && (
          <Button onClick={onAccept}>
            <span>
              Place the rest for <Money cents={changed.total} />
            </span>
          </Button>
        )}
        {isBuyable && (
          <Button
            kind="forward"
            className="sm:px-8"
            onClick={() => (replacement ? onReplace(replacement) : onAccept())}
          >
            <span>
              {replacement ? "Replace that order for " : "Place it for "}
              <Money cents={total} />
            </span>
          </Button>
        )}
      </div>
    </section>
  );
}

function headingOf({ buyable }: ChangedOrder, replacement: Replacement | undefined): string {
  if (replacement)
    return `Your order #${shortOrderId(replacement.order.id)} holds the missing items`;
  return buyable.length > 0
    ? "Your order has changed since you filled your cart"
    : "None of these items are available now";
}

/** The missing pieces in the saved order, such as "1 × Moka Pot". */
function heldText({ lines }: ChangedOrder, { order }: Replacement): string {
  const missing = new Set(lines.map(({ line }) => line.id));
  const held = order.items.filter(({ id }) => missing.has(id));
  return held.map(piecesText).join(", ");
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
