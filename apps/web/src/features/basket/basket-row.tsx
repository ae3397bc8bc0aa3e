import { type BasketLine, lineTotal } from "@keepsats/domain";
import { Trash2 } from "lucide-react";
import { useId } from "react";
import { IconButton } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { removeFromBasket } from "./basket-store.ts";
import { QuantityField } from "./quantity-field.tsx";

interface BasketRowProps {
  readonly line: BasketLine;
  /** The address of the item's picture; `undefined` until it is known. */
  readonly picture: string | undefined;
  /** That fewer pieces are left, in words. */
  readonly shortage: string | undefined;
  readonly onRemoved: () => void;
}

/** One line of the cart: picture, name, unit price, quantity, trash button and line total. */
export function BasketRow({ line, picture, shortage, onRemoved }: BasketRowProps) {
  const shortageId = useId();
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
          <QuantityField line={line} describedBy={shortage && shortageId} onRemoved={onRemoved} />
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
          <p id={shortageId} className="mt-1.5 text-sm text-danger">
            {shortage}
          </p>
        )}
      </div>
    </li>
  );
}
