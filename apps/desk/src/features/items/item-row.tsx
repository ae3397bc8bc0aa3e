import type { MerchantItem } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { GripVertical, Pencil } from "lucide-react";
import { memo } from "react";
import { Money } from "../../ui/money.tsx";
import { countText } from "./import-words.ts";
import { InlineField } from "./inline-field.tsx";
import { placeAfterKey } from "./item-order.ts";
import { ShopPicture } from "./shop-picture.tsx";
import type { RowDrag } from "./use-row-drag.ts";

interface ItemRowProps {
  readonly item: MerchantItem;
  /** Its place among all items, from 0. */
  readonly place: number;
  /** How many items there are. */
  readonly count: number;
  /** How many rows there are: the keys move a row among them. */
  readonly rows: number;
  readonly canMove: boolean;
  readonly isDragged: boolean;
  readonly isTarget: boolean;
  readonly drag: RowDrag;
  /** @param to the place in the list, from 0 */
  readonly onMove: (id: string, to: number) => void;
  readonly onEdit: (item: MerchantItem) => void;
  readonly onHide: (item: MerchantItem, hidden: boolean) => void;
}

/**
 * A row of the table. It is rendered when something in it changes, not when another row does: there
 * may be a thousand.
 */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, place, isDragged, isTarget, drag, onEdit, onHide } = props;
  return (
    <li
      onDragOver={(event) => {
        if (drag.over(item.id)) event.preventDefault();
      }}
      onDrop={() => drag.drop(place)}
      className={classes(
        "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2",
        "md:grid-cols-(--item-columns)",
        "hover:bg-sunken",
        isDragged && "opacity-60",
        isTarget && !isDragged && "bg-sunken",
      )}
    >
      <Handle {...props} />
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
    </li>
  );
});

type HandleProps = Pick<
  ItemRowProps,
  "item" | "place" | "count" | "rows" | "canMove" | "drag" | "onMove"
>;

/** What a row is dragged by. With the focus on it the arrow keys, Home and End move the row. */
function Handle({ item, place, count, rows, canMove, drag, onMove }: HandleProps) {
  return (
    <button
      type="button"
      draggable={canMove}
      disabled={!canMove}
      aria-label={`Move ${item.name}: place ${place + 1} of ${count}. Arrow keys move it.`}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = "move";
        dataTransfer.setData("text/plain", item.id);
        drag.start(item.id);
      }}
      onDragEnd={drag.end}
      onKeyDown={(event) => {
        const to = placeAfterKey(event.key, place, rows);
        if (to === undefined) return;
        event.preventDefault();
        if (to >= 0 && to < rows) onMove(item.id, to);
      }}
      className="flex h-11 w-8 cursor-grab items-center justify-center text-ink-soft enabled:hover:text-ink disabled:cursor-default disabled:opacity-40"
    >
      <GripVertical aria-hidden size={18} />
    </button>
  );
}
