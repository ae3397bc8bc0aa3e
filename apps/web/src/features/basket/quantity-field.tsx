import { type BasketLine, MAX_QUANTITY, parseQuantity } from "@keepsats/domain";
import { IconButton } from "@keepsats/ui/button.tsx";
import { Minus, Plus } from "lucide-react";
import { type Ref, useState } from "react";
import { setBasketQuantity } from "./basket-store.ts";

interface QuantityFieldProps {
  /** The ref of the number field. */
  readonly ref: Ref<HTMLInputElement>;
  readonly line: BasketLine;
  /** The id of a text about the quantity. */
  readonly describedBy: string | undefined;
  readonly onRemoved: () => void;
}

/** A minus button, a number field and a plus button. Input that is not a number is ignored. */
export function QuantityField({ ref, line, describedBy, onRemoved }: QuantityFieldProps) {
  const [typed, setTyped] = useState<string>();

  function set(quantity: number): void {
    setBasketQuantity(line, quantity);
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
