import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useState } from "react";
import { Sortable } from "../../../ui/sortable.tsx";
import type { PositionChange } from "./item-positions.ts";
import { ItemRow, type ItemRowProps } from "./item-row.tsx";

interface ItemsTableProps
  extends Pick<ItemRowProps, "count" | "canMove" | "onToggle" | "onExtend" | "onEdit" | "onHide"> {
  readonly items: readonly AdminItem[];
  /** All items, also those that the search does not find. */
  readonly allItems: readonly AdminItem[];
  /** The ids of the selected items. */
  readonly selected: ReadonlySet<string>;
  readonly onMove: (change: PositionChange) => void;
}

/** The table of items. Announces moves to screen readers. */
export function ItemsTable(props: ItemsTableProps) {
  const { items, allItems, selected, onMove, ...rowProps } = props;
  const [movedId, setMovedId] = useState<string>();
  function move(change: PositionChange): void {
    setMovedId(change.id);
    onMove(change);
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
      <Sortable ids={ids} onMove={(id, to) => move({ id, to })}>
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
