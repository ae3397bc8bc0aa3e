import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { GripVertical, Pencil } from "lucide-react";
import { memo, useState } from "react";
import { ItemPicture } from "../../../ui/item-picture.tsx";
import { SelectBox } from "../../../ui/select-box.tsx";
import { Money } from "../../../ui/values.tsx";
import { stockText } from "../import/import-labels.ts";
import { Sortable, useSorted } from "../sortable.tsx";
import { InlineField } from "./inline-field.tsx";
import { ShownInShop } from "./shown-in-shop.tsx";
import { positionAfterKey } from "./use-item-order.ts";

interface ItemsTableProps
  extends Pick<ItemRowProps, "count" | "canMove" | "onToggle" | "onExtend" | "onEdit"> {
  readonly items: readonly AdminItem[];
  readonly allItems: readonly AdminItem[];
  readonly selected: ReadonlySet<string>;
  /** @param to zero-based */
  readonly onMove: (id: string, to: number) => void;
}

/** The table of items. Announces moves to screen readers. */
export function ItemsTable(props: ItemsTableProps) {
  const { items, allItems, selected, onMove, ...rowProps } = props;
  const [movedId, setMovedId] = useState<string>();
  function move(id: string, to: number): void {
    setMovedId(id);
    onMove(id, to);
  }
  const ids = items.map(({ id }) => id);
  const nameOf = (wanted: string) => allItems.find(({ id }) => id === wanted)?.name ?? wanted;
  const position = ids.indexOf(movedId ?? "");
  const moved = items[position];
  return (
    <>
      <p role="status" className="sr-only">
        {moved && `${itemTitle(moved)} is at place ${position + 1} of ${rowProps.count}.`}
      </p>
      {/* Hidden from screen readers, because each field has a label. */}
      <p
        aria-hidden
        className="hidden gap-x-3 pb-1 text-sm text-ink-soft md:grid md:grid-cols-(--item-columns)"
      >
        <span className="col-start-4 px-2">Name</span>
        <span className="px-2">Price</span>
        <span className="px-2">Stock</span>
        <span>Shown in shop</span>
      </p>
      <Sortable ids={ids} onMove={move}>
        <ul aria-label="Items" className="divide-y divide-line border-y border-line">
          {items.map((item, index) => (
            <ItemRow
              {...rowProps}
              key={item.id}
              item={item}
              mainName={item.variant_of === null ? undefined : nameOf(item.variant_of)}
              position={index}
              rows={items.length}
              isSelected={selected.has(item.id)}
              onMove={move}
            />
          ))}
        </ul>
      </Sortable>
    </>
  );
}

interface ItemRowProps {
  readonly item: AdminItem;
  /** The name of the item of which it is a variant; `undefined` for a main item. */
  readonly mainName: string | undefined;
  /** The zero-based position among all items. */
  readonly position: number;
  readonly count: number;
  /** The number of rows, among which the keys move an item. */
  readonly rows: number;
  /** Whether items can be moved: not while the list is filtered. */
  readonly canMove: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (id: string) => void;
  /** Called for a click with Shift. */
  readonly onExtend: (id: string) => void;
  readonly onMove: (id: string, to: number) => void;
  /** Must be a stable function. */
  readonly onEdit: (item: AdminItem) => void;
}

/** A row of the table. It is moved by dragging its handle, or with the arrow keys on it. */
function ItemRow(props: ItemRowProps) {
  const { item, mainName, position, count, rows, canMove, onMove, onEdit } = props;
  const { isSelected, onToggle, onExtend } = props;
  const { id } = item;
  const { element, handle, isDragging } = useSorted(id, canMove);
  return (
    <li
      {...element}
      className={classes(
        "relative grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2",
        "md:grid-cols-(--item-columns)",
        "hover:bg-sunken",
        isSelected && "bg-sunken",
        isDragging && "z-10 bg-sunken",
      )}
    >
      <SelectBox
        label={`Select ${itemTitle(item)}`}
        isSelected={isSelected}
        onToggle={() => onToggle(id)}
        onExtend={() => onExtend(id)}
        className="h-11 w-8 max-md:row-start-2"
      />
      <button
        type="button"
        {...handle}
        disabled={!canMove}
        aria-label={`Move ${itemTitle(item)}: place ${position + 1} of ${count}. Arrow keys move it.`}
        onKeyDown={(event) => {
          const to = positionAfterKey(event.key, position, rows);
          if (to === undefined) return;
          event.preventDefault();
          if (to >= 0 && to < rows) onMove(id, to);
        }}
        className="flex h-11 w-8 cursor-grab touch-none items-center justify-center text-ink-soft enabled:hover:text-ink disabled:cursor-default disabled:opacity-40"
      >
        <GripVertical aria-hidden size={18} />
      </button>
      <Cells item={item} mainName={mainName} onEdit={onEdit} />
    </li>
  );
}

type CellsProps = Pick<ItemRowProps, "item" | "mainName" | "onEdit">;

/** Which variant the item is, its id and its category. */
function factsText({ item, mainName }: Pick<CellsProps, "item" | "mainName">): string {
  const variantOf = mainName === undefined ? null : `variant of ${mainName}`;
  return [item.variant_name, variantOf, item.id, item.category].filter(Boolean).join(" · ");
}

/** Memoized, so that dragging a row does not render its cells. */
const Cells = memo(function Cells({ item, mainName, onEdit }: CellsProps) {
  return (
    <>
      <ItemPicture url={item.image_url} className="size-12" />
      <div className={classes("min-w-0 wrap-anywhere", item.hidden && "text-ink-soft")}>
        <InlineField item={item} field="name" label="Name">
          {item.name}
        </InlineField>
        <span className="block px-2 text-sm text-ink-soft">{factsText({ item, mainName })}</span>
      </div>
      <button
        type="button"
        aria-label={`Edit ${itemTitle(item)}`}
        onClick={() => onEdit(item)}
        className="flex size-11 items-center justify-center rounded-full text-ink-soft hover:text-ink max-md:justify-self-end md:order-last"
      >
        <Pencil aria-hidden size={18} />
      </button>
      {/* The second line of the row on a phone, columns otherwise. */}
      <div className="col-span-3 col-start-2 flex items-center gap-x-3 md:contents">
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
              {item.stock === 0 ? "sold out" : stockText(item.stock)}
            </span>
          </InlineField>
        </div>
        <div className="max-md:ml-auto">
          <ShownInShop item={item} />
        </div>
      </div>
    </>
  );
});
