import { type BasketLine, lineTotal } from "@keepsats/domain";
import { IconButton } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import { Trash2 } from "lucide-react";
import { useId, useRef } from "react";
import { Money } from "../../ui/money.tsx";
import { Thumbnail } from "../../ui/picture.tsx";
import { removeFromBasket, setBasketQuantity } from "./basket-store.ts";
import { QuantityField } from "./quantity-field.tsx";

interface BasketRowProps {
  readonly line: BasketLine;
  /** The address of the item's picture; `undefined` until it is known. */
  readonly picture: string | undefined;
  /** That fewer pieces are left, in words. */
  readonly shortage: string | undefined;
  /** To how many pieces the line can be set; see `fewerLeft`. */
  readonly left: number | undefined;
  readonly onRemoved: () => void;
}

/**
 * One line of the cart: picture, name, unit price, quantity, trash button and line total; with too
 * few pieces left, a button that sets their number.
 */
export function BasketRow({ line, picture, shortage, left, onRemoved }: BasketRowProps) {
  const shortageId = useId();
  const field = useRef<HTMLInputElement>(null);

  /** The button disappears, so the focus moves to the quantity that it has set. */
  function setTo(quantity: number): void {
    setBasketQuantity(line, quantity);
    field.current?.focus();
  }

  return (
    <li className="relative flex animate-arrive flex-wrap gap-3 py-4">
      <Thumbnail src={picture} />
      <div className="min-w-0 grow basis-52">
        <div className="flex items-baseline justify-between gap-4">
          <p className="min-w-0 font-medium wrap-anywhere">{line.name}</p>
          <span className="text-sm text-ink-soft">
            <Money cents={line.price} />
            <span className="sr-only"> each</span>
          </span>
        </div>
        <div className="mt-1.5 flex flex-wrap items-center">
          <QuantityField
            ref={field}
            line={line}
            describedBy={shortage && shortageId}
            onRemoved={onRemoved}
          />
          <IconButton
            label={`Remove ${line.name}`}
            onClick={() => {
              removeFromBasket(line);
              onRemoved();
            }}
          >
            <Trash2 aria-hidden size={18} />
          </IconButton>
          <span className="ml-auto font-medium">
            <Money cents={lineTotal(line)} />
            <span className="sr-only"> together</span>
          </span>
        </div>
        {shortage !== undefined && (
          <div className="mt-1.5 flex flex-wrap items-center gap-x-3 text-sm">
            <p id={shortageId} className="text-danger">
              {shortage}
            </p>
            {left !== undefined && (
              <button
                type="button"
                className={classes(textLink, "-my-1.5 min-h-11 px-1 font-medium")}
                onClick={() => setTo(left)}
              >
                Set to {left}
                <span className="sr-only"> of {line.name}</span>
              </button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}
