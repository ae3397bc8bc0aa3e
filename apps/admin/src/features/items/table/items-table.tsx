import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useCallback, useState } from "react";
import { Sortable } from "../../../ui/sortable.tsx";
import { ItemRow } from "./item-row.tsx";

interface ItemsTableProps {
  readonly items: readonly AdminItem[];
  /** All items, also those that the search does not find. */
  readonly allItems: readonly AdminItem[];
  /** The number of all items, shown or not. */
  readonly count: number;
  /** Whether items can be moved: not while the list is filtered. */
  readonly canMove: boolean;
  /** Must be a stable function, as the others. @param to zero-based */
  readonly onMove: (id: string, to: number) => void;
  /** The ids of the selected items. */
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  /** Called for a click with Shift. */
  readonly onExtend: (id: string) => void;
  readonly onEdit: (item: AdminItem) => void;
  readonly onHide: (item: AdminItem, hidden: boolean) => void;
}

/** The table of items. Announces moves to screen readers. */
export function ItemsTable(props: ItemsTableProps) {
  const { items, allItems, count, canMove, onMove, selected, onToggle, onExtend, onEdit, onHide } =
    props;
  const [movedId, setMovedId] = useState<string>();
  const move = useCallback(
    (id: string, to: number) => {
      setMovedId(id);
      onMove(id, to);
    },
    [onMove],
  );
  const ids = items.map(({ id }) => id);
  const nameOf = (wanted: string) => allItems.find(({ id }) => id === wanted)?.name ?? wanted;
  const position = ids.indexOf(movedId ?? "");
  const moved = items[position];
  return (
    <>
      <p role="status" className="sr-only">
        {moved && `${itemTitle(moved)} is at place ${position + 1} of ${count}.`}
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
              key={item.id}
              item={item}
              mainName={item.variant_of === null ? undefined : nameOf(item.variant_of)}
              position={index}
              count={count}
              rows={items.length}
              canMove={canMove}
              onMove={move}
              isSelected={selected.has(item.id)}
              onToggle={onToggle}
              onExtend={onExtend}
              onEdit={onEdit}
              onHide={onHide}
            />
          ))}
        </ul>
      </Sortable>
    </>
  );
}
