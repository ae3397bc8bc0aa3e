import { type CartLine, lineTotal, MAX_QUANTITY, parseQuantity } from "@keepsats/domain";
import type { StockByItem } from "@keepsats/protocol";
import { IconButton } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { Minus, Plus, Trash2 } from "lucide-react";
import { type Ref, useId, useRef, useState } from "react";
import { removeFromCart, setCartQuantity } from "../../lib/cart-store.ts";
import { fewerLeft, shortageOf } from "../../lib/stock.ts";
import { Money } from "../../ui/money.tsx";
import { Thumbnail } from "../../ui/picture.tsx";

interface CartRowProps {
  readonly line: CartLine;
  /** `undefined` until the items are loaded. */
  readonly picture: string | undefined;
  /** `undefined` until the items are loaded. */
  readonly stock: StockByItem | undefined;
  readonly onRemoved: () => void;
}

/**
 * One line of the cart: picture, name, unit price, quantity, trash button and line total. If too
 * few pieces are left, a button sets the quantity to what is left.
 */
export function CartRow({ line, picture, stock, onRemoved }: CartRowProps) {
  const shortage = shortageOf(line, stock);
  const left = fewerLeft(line, stock);
  const shortageId = useId();
  const field = useRef<HTMLInputElement>(null);

  /** The button disappears, so the focus moves to the quantity. */
  function setTo(quantity: number): void {
    setCartQuantity(line, quantity);
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
              removeFromCart(line);
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

interface QuantityFieldProps {
  /** The number field. */
  readonly ref: Ref<HTMLInputElement>;
  readonly line: CartLine;
  readonly describedBy: string | undefined;
  readonly onRemoved: () => void;
}

/** Input that is not a number is ignored. */
function QuantityField({ ref, line, describedBy, onRemoved }: QuantityFieldProps) {
  const [typed, setTyped] = useState<string>();

  function set(quantity: number): void {
    setCartQuantity(line, quantity);
    if (quantity <= 0) onRemoved();
  }

  function onType(text: string): void {
    setTyped(text);
    const quantity = parseQuantity(text);
    if (quantity === undefined) return;
    if (quantity > MAX_QUANTITY) setTyped(undefined);
    set(quantity);
  }

  return (
    <div className="flex items-center rounded-md border border-line-strong bg-raised">
      <IconButton
        label={`Decrease quantity of ${line.name}`}
        onClick={() => set(line.quantity - 1)}
      >
        <Minus aria-hidden size={16} />
      </IconButton>
      <input
        ref={ref}
        type="number"
        min={1}
        max={MAX_QUANTITY}
        step={1}
        inputMode="numeric"
        aria-label={`Quantity of ${line.name}`}
        aria-describedby={describedBy}
        value={typed ?? line.quantity}
        onChange={(event) => onType(event.target.value)}
        onBlur={() => setTyped(undefined)}
        className="no-spinner money h-11 w-11 text-center focus-visible:rounded-md focus-visible:-outline-offset-2"
      />
      <IconButton
        label={`Increase quantity of ${line.name}`}
        onClick={() => set(line.quantity + 1)}
      >
        <Plus aria-hidden size={16} />
      </IconButton>
    </div>
  );
}
