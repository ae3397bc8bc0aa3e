import { cartTotal } from "@keepsats/domain";
import type { StockByItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Undo2 } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { undoRemoval, useCart } from "../../lib/cart-store.ts";
import { usePictures } from "../../lib/items.ts";
import { useNavigate } from "../../lib/router.tsx";
import { Money } from "../../ui/money.tsx";
import { CartRow } from "./cart-row.tsx";

interface CartPanelProps {
  /** Focused when a line disappears or is restored. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** `undefined` until the items are loaded. */
  readonly stock: StockByItem | undefined;
}

export function CartPanel({ heading, stock }: CartPanelProps) {
  const { lines } = useCart();
  const pictures = usePictures();
  const navigate = useNavigate();
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
          No items yet. Items that you add will appear here.
        </p>
      ) : (
        <div className="mt-2 border-t border-line">
          <ul
            ref={list}
            className="divide-y divide-line lg:scroll-hint lg:-mx-2 lg:max-h-(--cart-list-height) lg:px-2"
          >
            {lines.map((line) => (
              <CartRow
                key={line.id}
                line={line}
                picture={pictures.get(line.id)}
                stock={stock}
                onRemoved={focusHeading}
              />
            ))}
          </ul>
        </div>
      )}
      <div className="border-t border-line pt-4">
        <p className="mb-4 text-lg font-bold">
          Total: <Money cents={cartTotal(lines)} />
        </p>
        <Button
          kind="forward"
          className="w-full"
          disabled={lines.length === 0}
          onClick={() => navigate("/checkout")}
        >
          Proceed to Checkout
        </Button>
      </div>
    </section>
  );
}

/** Scrolls the list, but never the page, to the line that was added last. */
function useRevealAdded(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const { lines, lastAdded } = useCart();
  useEffect(() => {
    const row = list.current?.children[lines.findIndex(({ id }) => id === lastAdded)];
    if (list.current === null || row === undefined) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < top) list.current.scrollBy({ top: place.top - top });
    else if (place.bottom > bottom) list.current.scrollBy({ top: place.bottom - bottom });
  }, [lines, lastAdded]);
  return list;
}

/** The line that was just removed, with an Undo button, until the next change of the cart. */
function UndoRemoval({ onUndone }: { onUndone: () => void }) {
  const { lastRemoved } = useCart();
  if (lastRemoved === undefined) return null;
  const { name } = lastRemoved.line;
  return (
    <p className="flex min-w-0 animate-arrive items-center gap-1 text-sm text-ink-soft">
      <span className="truncate">{name} removed</span>
      <button
        type="button"
        className="inline-flex min-h-11 shrink-0 items-center gap-1.5 px-2 font-medium text-ink underline underline-offset-4 hover:decoration-2"
        onClick={() => {
          undoRemoval(lastRemoved);
          onUndone();
        }}
      >
        <Undo2 aria-hidden size={16} />
        Undo<span className="sr-only"> the removal of {name}</span>
      </button>
    </p>
  );
}
