import { type OrderStatus, orderStatuses } from "@keepsats/domain";
import { CheckboxInput } from "@keepsats/ui/checkbox.tsx";
import { useId, useState } from "react";
import { statusLabel } from "../../ui/order-labels.tsx";
import { Tab } from "../../ui/tab.tsx";
import { toggled } from "./order-filter.ts";
import { countOf, countText, type OrderCount, type StatusCounts } from "./status-counts.ts";

interface StatusTabsProps {
  readonly counts: StatusCounts | undefined;
  /** Empty for all statuses. */
  readonly selected: readonly OrderStatus[];
  readonly onSelect: (statuses: readonly OrderStatus[]) => void;
}

/**
 * One button per status, with the number of its orders. With "Select several" a button adds or
 * removes its status; without, it selects only this status.
 */
export function StatusTabs({ counts, selected, onSelect }: StatusTabsProps) {
  const boxId = useId();
  const [allowsSeveral, setAllowsSeveral] = useState(false);
  const isSeveral = allowsSeveral || selected.length > 1;

  function changeSeveral(): void {
    setAllowsSeveral(!isSeveral);
    if (isSeveral) onSelect(selected.slice(0, 1));
  }
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Status</legend>
      {/* The padding keeps the scrolled strip from clipping the focus outline. */}
      <div className="scroll-hint-x -mx-4 -my-2 scroll-px-4 px-4 py-2 sm:-mx-2 sm:scroll-px-2 sm:px-2">
        <div className="flex w-max min-w-full gap-1 border-b border-line">
          <Tab isPressed={selected.length === 0} onClick={() => onSelect([])}>
            All
            <Count count={countOf(counts, [])} />
          </Tab>
          {orderStatuses.map((status) => (
            <Tab
              key={status}
              isPressed={selected.includes(status)}
              onClick={() => onSelect(isSeveral ? toggled(selected, status) : [status])}
            >
              {statusLabel(status)}
              <Count count={counts?.get(status)} />
            </Tab>
          ))}
          <label
            htmlFor={boxId}
            className="ml-auto flex min-h-11 items-center gap-2 pl-3 whitespace-nowrap text-ink-soft"
          >
            <CheckboxInput id={boxId} checked={isSeveral} onChange={changeSeveral} />
            Select several
          </label>
        </div>
      </div>
    </fieldset>
  );
}

function Count({ count }: { count: OrderCount | undefined }) {
  if (count === undefined) return null;
  return <span className="money text-sm text-ink-soft">{countText(count)}</span>;
}
