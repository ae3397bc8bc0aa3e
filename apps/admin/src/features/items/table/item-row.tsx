import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { GripVertical, Pencil } from "lucide-react";
import { memo } from "react";
import { ItemPicture } from "../../../ui/item-picture.tsx";
import { SelectBox } from "../../../ui/select-box.tsx";
import { useSorted } from "../../../ui/sortable.tsx";
import { Money } from "../../../ui/values.tsx";
import { stockText } from "../import/import-labels.ts";
import { InlineField } from "./inline-field.tsx";
import { type PositionChange, positionAfterKey } from "./item-positions.ts";
import type { VisibilityChange } from "./use-item-changes.ts";

export interface ItemRowProps {
  readonly item: AdminItem;
  /** The name of the item of which it is a variant; `undefined` for a main item. */
  readonly mainName: string | undefined;
  /** The zero-based position among all items. */
  readonly position: number;
  /** The number of all items, shown or not. */
  readonly count: number;
  /** The number of rows, among which the keys move an item. */
  readonly rows: number;
  /** Whether items can be moved: not while the list is filtered. */
  readonly canMove: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (id: string) => void;
  /** Called for a click with Shift. */
  readonly onExtend: (id: string) => void;
  readonly onMove: (change: PositionChange) => void;
  /** Must be a stable function, and so must `onHide`. */
  readonly onEdit: (item: AdminItem) => void;
  readonly onHide: (change: VisibilityChange) => void;
}

/** A row of the table. It is moved by dragging its handle, or with the arrow keys on it. */
export function ItemRow(props: ItemRowProps) {
  const { item, mainName, position, count, rows, canMove, onMove, onEdit, onHide } = props;
  const { isSelected, onToggle, onExtend } = props;
  const { id } = item;
  const { element, handle, isDragging } = useSorted(id, canMove);
  return (
    <li
      {...element}
      className={classes(
        "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2",
        "md:grid-cols-(--item-columns)",
        "hover:bg-sunken",
        isSelected && "bg-sunken",
        isDragging && "relative z-10 bg-sunken",
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
          if (to >= 0 && to < rows) onMove({ id, to });
        }}
        className="flex h-11 w-8 cursor-grab touch-none items-center justify-center text-ink-soft enabled:hover:text-ink disabled:cursor-default disabled:opacity-40"
      >
        <GripVertical aria-hidden size={18} />
      </button>
      <Cells item={item} mainName={mainName} onEdit={onEdit} onHide={onHide} />
    </li>
  );
}

type CellsProps = Pick<ItemRowProps, "item" | "mainName" | "onEdit" | "onHide">;

/** Which variant the item is, its id and its category. */
function factsText({ item, mainName }: Pick<CellsProps, "item" | "mainName">): string {
  const variantOf = mainName === undefined ? null : `variant of ${mainName}`;
  return [item.variant_name, variantOf, item.id, item.category].filter(Boolean).join(" · ");
}

/** Memoized, so that dragging a row does not render its cells. */
const Cells = memo(function Cells({ item, mainName, onEdit, onHide }: CellsProps) {
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
          {/* A wide window has a column heading. */}
          <Checkbox
            label="Shown in shop"
            checked={!item.hidden}
            className="md:sr-only"
            onChange={(isShown) => onHide({ item, hidden: !isShown })}
          />
        </div>
      </div>
    </>
  );
});
