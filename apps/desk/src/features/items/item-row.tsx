import type { MerchantItem } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { GripVertical, Pencil } from "lucide-react";
import { memo } from "react";
import { Money } from "../../ui/money.tsx";
import { useSorted } from "../../ui/sortable.tsx";
import { countText } from "./import-words.ts";
import { InlineField } from "./inline-field.tsx";
import { placeAfterKey } from "./item-order.ts";
import { ShopPicture } from "./shop-picture.tsx";

interface ItemRowProps {
  readonly item: MerchantItem;
  /** Its place among all items, from 0. */
  readonly place: number;
  /** How many items there are. */
  readonly count: number;
  /** How many rows there are: the keys move a row among them. */
  readonly rows: number;
  readonly canMove: boolean;
  /** @param to the place in the list, from 0 */
  readonly onMove: (id: string, to: number) => void;
  readonly onEdit: (item: MerchantItem) => void;
  readonly onHide: (item: MerchantItem, hidden: boolean) => void;
}

/** A row of the table. Its handle drags it; with the focus there, the arrow keys move it. */
export function ItemRow(props: ItemRowProps) {
  const { item, place, count, rows, canMove, onMove, onEdit, onHide } = props;
  const { thing, handle, isDragging } = useSorted(item.id, canMove);
  return (
    <li
      {...thing}
      className={classes(
        "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2",
        "md:grid-cols-(--item-columns)",
        "hover:bg-sunken",
        isDragging && "relative z-10 bg-sunken",
      )}
    >
      <button
        type="button"
        {...handle}
        disabled={!canMove}
        aria-label={`Move ${item.name}: place ${place + 1} of ${count}. Arrow keys move it.`}
        onKeyDown={(event) => {
          const to = placeAfterKey(event.key, place, rows);
          if (to === undefined) return;
          event.preventDefault();
          if (to >= 0 && to < rows) onMove(item.id, to);
        }}
        className="flex h-11 w-8 cursor-grab touch-none items-center justify-center text-ink-soft enabled:hover:text-ink disabled:cursor-default disabled:opacity-40"
      >
        <GripVertical aria-hidden size={18} />
      </button>
      <Cells item={item} onEdit={onEdit} onHide={onHide} />
    </li>
  );
}

type CellsProps = Pick<ItemRowProps, "item" | "onEdit" | "onHide">;

/** They are rendered when their item changes, and not while a row is dragged. */
const Cells = memo(function Cells({ item, onEdit, onHide }: CellsProps) {
  return (
    <>
      <ShopPicture url={item.image_url} className="size-12" />
      <div className={classes("min-w-0 wrap-anywhere", item.hidden && "text-ink-soft")}>
        <InlineField item={item} field="name" label="Name">
          {item.name}
        </InlineField>
        <span className="block px-2 text-sm text-ink-soft">{item.id}</span>
      </div>
      <button
        type="button"
        aria-label={`Edit ${item.name}`}
        onClick={() => onEdit(item)}
        className="flex size-11 items-center justify-center rounded-full text-ink-soft hover:text-ink max-md:justify-self-end md:order-last"
      >
        <Pencil aria-hidden size={18} />
      </button>
      {/* On a phone the second line of the row, otherwise its columns. */}
      <div className="col-span-full flex items-center gap-x-3 pl-11 md:contents">
        <div className="min-w-0 wrap-anywhere max-md:w-28">
          <InlineField item={item} field="price" label="Price">
            <Money cents={item.price} />
          </InlineField>
        </div>
        <div className="min-w-0 max-md:w-32">
          <InlineField item={item} field="stock" label="Stock">
            <span
              className={classes(
                item.stock === 0 && "text-danger",
                item.stock === null && "text-ink-soft",
              )}
            >
              {item.stock === 0 ? "sold out" : countText(item.stock)}
            </span>
          </InlineField>
        </div>
        <div className="max-md:ml-auto">
          {/* On a wide window the table has a heading for it. */}
          <Checkbox
            label="Shown in shop"
            checked={!item.hidden}
            className="md:sr-only"
            onChange={(isShown) => onHide(item, !isShown)}
          />
        </div>
      </div>
    </>
  );
});
