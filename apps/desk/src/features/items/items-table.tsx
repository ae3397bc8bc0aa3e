import type { MerchantItem } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { Money } from "@keepsats/ui/money.tsx";
import { GripVertical, Pencil } from "lucide-react";
import { useState } from "react";
import { countText } from "./import-words.ts";
import { InlineField } from "./inline-field.tsx";
import { placeAfterKey } from "./item-order.ts";
import { ShopPicture } from "./shop-picture.tsx";

interface ItemsTableProps {
  readonly items: readonly MerchantItem[];
  /** Whether the order can be changed: not while only some of the items are shown. */
  readonly canMove: boolean;
  /** @param to the place in the list, from 0 */
  readonly onMove: (id: string, to: number) => void;
  readonly onEdit: (item: MerchantItem) => void;
  readonly onHide: (item: MerchantItem, hidden: boolean) => void;
}

/** The table of items. Its rows are dragged by their handles, or moved with the arrow keys on them. */
export function ItemsTable({ items, canMove, onMove, onEdit, onHide }: ItemsTableProps) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();

  function drop(place: number): void {
    if (dragged !== undefined) onMove(dragged, place);
    endDrag();
  }
  function endDrag(): void {
    setDragged(undefined);
    setOver(undefined);
  }

  return (
    <ul aria-label="Items" className="divide-y divide-line border-y border-line">
      {items.map((item, place) => (
        <li
          key={item.id}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setOver(item.id);
          }}
          onDrop={() => drop(place)}
          className={classes(
            "grid grid-cols-[auto_auto_1fr_auto] items-center gap-x-3 py-2 sm:grid-cols-[auto_auto_1fr_7rem_7rem_auto_auto]",
            "hover:bg-sunken",
            dragged === item.id && "opacity-60",
            over === item.id && dragged !== item.id && "bg-sunken",
          )}
        >
          <Handle
            item={item}
            place={place}
            count={items.length}
            canMove={canMove}
            onMove={onMove}
            onDrag={setDragged}
            onDragEnd={endDrag}
          />
          <ShopPicture url={item.image_url} className="size-12" />
          <div className={classes("min-w-0 wrap-anywhere", item.hidden && "text-ink-soft")}>
            <InlineField item={item} field="name" label="Name">
              {item.name}
            </InlineField>
            <span className="block text-sm text-ink-soft">{item.id}</span>
          </div>
          <button
            type="button"
            aria-label={`Edit ${item.name}`}
            onClick={() => onEdit(item)}
            className="flex size-11 items-center justify-center rounded-full text-ink-soft hover:text-ink max-sm:justify-self-end sm:order-last"
          >
            <Pencil aria-hidden size={18} />
          </button>
          <div className="max-sm:col-span-2 max-sm:pl-14">
            <InlineField item={item} field="price" label="Price">
              <Money cents={item.price} />
            </InlineField>
          </div>
          <div>
            <InlineField item={item} field="stock" label="Stock">
              <span
                className={classes(item.stock === 0 && "text-danger", item.stock === null && "text-ink-soft")}
              >
                {item.stock === 0 ? "sold out" : countText(item.stock)}
              </span>
            </InlineField>
          </div>
          <Checkbox label="Hidden" checked={item.hidden} onChange={(hidden) => onHide(item, hidden)} />
        </li>
      ))}
    </ul>
  );
}

interface HandleProps extends Pick<ItemsTableProps, "canMove" | "onMove"> {
  readonly item: MerchantItem;
  readonly place: number;
  readonly count: number;
  readonly onDrag: (id: string) => void;
  readonly onDragEnd: () => void;
}

/** What a row is dragged by. With the focus on it the arrow keys, Home and End move the row. */
function Handle({ item, place, count, canMove, onMove, onDrag, onDragEnd }: HandleProps) {
  return (
    <button
      type="button"
      draggable={canMove}
      disabled={!canMove}
      aria-label={`Move ${item.name}: place ${place + 1} of ${count}. Arrow keys move it.`}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = "move";
        dataTransfer.setData("text/plain", item.id);
        onDrag(item.id);
      }}
      onDragEnd={onDragEnd}
      onKeyDown={(event) => {
        const to = placeAfterKey(event.key, place, count);
        if (to === undefined) return;
        event.preventDefault();
        if (to >= 0 && to < count) onMove(item.id, to);
      }}
      className="flex h-11 w-8 cursor-grab items-center justify-center text-ink-soft enabled:hover:text-ink disabled:cursor-default disabled:opacity-40"
    >
      <GripVertical aria-hidden size={18} />
    </button>
  );
}
