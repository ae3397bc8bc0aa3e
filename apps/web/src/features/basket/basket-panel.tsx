import { basketTotal } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { type RefObject, useEffect, useRef } from "react";
import { Money } from "../../ui/money.tsx";
import { BasketRow } from "./basket-row.tsx";
import { useBasket, useLastAdded } from "./basket-store.ts";
import { fewerLeft, type Stock, shortageOf } from "./shortage.ts";
import { UndoRemoval } from "./undo-removal.tsx";

interface BasketPanelProps {
  /** The ref of the cart's heading. It is focused when a line disappears or comes back. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** The addresses of the items' pictures by item id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** `undefined` until the items are loaded. */
  readonly stock: Stock | undefined;
  readonly onCheckout: () => void;
}

/** The cart: its lines, the total and the button to the checkout. */
export function BasketPanel({ heading, pictures, stock, onCheckout }: BasketPanelProps) {
  const lines = useBasket();
  const list = useRevealAdded();
  const focusHeading = () => heading.current?.focus();
  return (
    <section aria-labelledby="cart">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="cart" ref={heading} tabIndex={-1} className="shrink-0 text-xl">
          Your Cart
        </h2>
        <UndoRemoval onUndone={focusHeading} />
      </div>
      {lines.length === 0 ? (
        <p className="mt-2 border-t border-line py-6 text-ink-soft">
          Nothing in it yet. What you add waits here.
        </p>
      ) : (
        <div className="mt-2 border-t border-line">
          <ul
            ref={list}
            className="divide-y divide-line lg:scroll-hint lg:-mx-2 lg:max-h-(--cart-list-height) lg:px-2"
          >
            {lines.map((line) => (
              <BasketRow
                key={line.id}
                line={line}
                picture={pictures.get(line.id)}
                shortage={shortageOf(line, stock)}
                left={fewerLeft(line, stock)}
                onRemoved={focusHeading}
              />
            ))}
          </ul>
        </div>
      )}
      <div className="border-t border-line pt-4">
        <p className="mb-4 text-lg font-bold">
          Total: <Money cents={basketTotal(lines)} />
        </p>
        <Button
          kind="forward"
          className="w-full"
          disabled={lines.length === 0}
          onClick={onCheckout}
        >
          Proceed to Checkout
        </Button>
      </div>
    </section>
  );
}

/**
 * Scrolls the list of lines, but never the page, so that the line that was added last is visible.
 */
function useRevealAdded(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const lines = useBasket();
  const added = useLastAdded();
  useEffect(() => {
    const row = list.current?.children[lines.findIndex(({ id }) => id === added)];
    if (list.current === null || row === undefined) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < top) list.current.scrollBy({ top: place.top - top });
    else if (place.bottom > bottom) list.current.scrollBy({ top: place.bottom - bottom });
  }, [lines, added]);
  return list;
}
