import type { MerchantItem } from "@keepsats/protocol";
import { useCallback, useState } from "react";
import { Sortable } from "../../ui/sortable.tsx";
import { ItemRow } from "./item-row.tsx";

interface ItemsTableProps {
  readonly items: readonly MerchantItem[];
  /** How many items there are, shown or not. */
  readonly count: number;
  /** Whether the order can be changed: not while only those that were searched are shown. */
  readonly canMove: boolean;
  /** Stays the same function, as the others do. @param to the place in the list, from 0 */
  readonly onMove: (id: string, to: number) => void;
  readonly onEdit: (item: MerchantItem) => void;
  readonly onHide: (item: MerchantItem, hidden: boolean) => void;
}

/**
 * The table of items. Its rows are dragged by their handles, or moved with the arrow keys on them.
 */
export function ItemsTable({ items, count, canMove, onMove, onEdit, onHide }: ItemsTableProps) {
  const [movedId, setMovedId] = useState<string>();
  const move = useCallback(
    (id: string, to: number) => {
      setMovedId(id);
      onMove(id, to);
    },
    [onMove],
  );
  const ids = items.map(({ id }) => id);
  const place = ids.indexOf(movedId ?? "");
  return (
    <>
      <p role="status" className="sr-only">
        {place >= 0 && `${items[place]?.name} is at place ${place + 1} of ${count}.`}
      </p>
      {/* What a field is for screen readers, it says itself. */}
      <p
        aria-hidden
        className="hidden gap-x-3 pb-1 text-sm text-ink-soft md:grid md:grid-cols-(--item-columns)"
      >
        <span className="col-start-3 px-2">Name</span>
        <span className="px-2">Price</span>
        <span className="px-2">Stock</span>
        <span>Shown in shop</span>
      </p>
      <Sortable ids={ids} onMove={move}>
        <ul aria-label="Items" className="divide-y divide-line border-y border-line">
          {items.map((item, at) => (
            <ItemRow
              key={item.id}
              item={item}
              place={at}
              count={count}
              rows={items.length}
              canMove={canMove}
              onMove={move}
              onEdit={onEdit}
              onHide={onHide}
            />
          ))}
        </ul>
      </Sortable>
    </>
  );
}
