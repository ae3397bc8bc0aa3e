import { type BasketLine, basketTotal, lineTotal } from "@keepsats/domain";
import { Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";
import { removeFromBasket, useBasket } from "./basket-store.ts";
import { QuantityField } from "./quantity-field.tsx";

/** The cart: its lines, its total, and the way to the checkout. */
export function BasketPanel({ onCheckout }: { onCheckout: () => void }) {
  const lines = useBasket();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="cart">
      <h2 id="cart" ref={heading} tabIndex={-1} className="text-xl">
        Your Cart
      </h2>
      {lines.length === 0 ? (
        <p className="mt-4 border-t border-line py-6 text-ink-soft">
          Nothing in it yet. What you add waits here.
        </p>
      ) : (
        <ul className="mt-4 divide-y divide-line border-t border-line lg:-mx-2 lg:px-2 lg:tall:max-h-[max(18rem,calc(100dvh-21rem))] lg:tall:overflow-y-auto">
          {lines.map((line) => (
            <BasketRow key={line.id} line={line} onRemoved={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
      <div className="border-t border-line pt-4">
        <p className="mb-4 text-lg font-bold">
          Total: <Money cents={basketTotal(lines)} />
        </p>
        <Button kind="forward" className="w-full" disabled={lines.length === 0} onClick={onCheckout}>
          Proceed to Checkout
        </Button>
      </div>
    </section>
  );
}

function BasketRow({ line, onRemoved }: { line: BasketLine; onRemoved: () => void }) {
  return (
    <li className="animate-arrive py-4">
      <div className="flex items-baseline justify-between gap-4">
        <p className="min-w-0 font-medium wrap-anywhere">{line.name}</p>
        <Money cents={line.price} className="text-sm text-ink-soft" />
      </div>
      <div className="mt-2 -ml-2.5 flex flex-wrap items-center gap-1">
        <QuantityField line={line} onRemoved={onRemoved} />
        <IconButton
          label={`Remove ${line.name}`}
          onClick={() => {
            removeFromBasket(line);
            onRemoved();
          }}
        >
          <Trash2 aria-hidden size={16} />
        </IconButton>
        <Money cents={lineTotal(line)} className="ml-auto font-medium" />
      </div>
    </li>
  );
}
