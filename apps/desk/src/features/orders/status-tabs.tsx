import { type OrderStatus, orderStatuses } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { todayQuery } from "../../lib/today.ts";
import { statusWords } from "../../ui/status-words.ts";

interface StatusTabsProps {
  readonly selected: OrderStatus | undefined;
  readonly onSelect: (status: OrderStatus | undefined) => void;
}

/** One button for each status, with the number of its orders once that is known. */
export function StatusTabs({ selected, onSelect }: StatusTabsProps) {
  const { data } = useQuery(todayQuery);
  const counts = new Map(data?.orders_by_status.map(({ status, orders }) => [status, orders]));
  const all = data?.orders_by_status.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <legend className="sr-only">Status</legend>
      <div className="flex gap-1 border-b border-line">
        {[undefined, ...orderStatuses].map((status) => {
          const count = status === undefined ? all : counts.get(status);
          return (
            <button
              key={status ?? "all"}
              type="button"
              aria-pressed={status === selected}
              onClick={() => onSelect(status)}
              className={classes(
                "-mb-px flex min-h-11 items-center gap-2 border-b-2 px-3 whitespace-nowrap transition-colors",
                status === selected
                  ? "border-ink font-medium"
                  : "border-transparent text-ink-soft hover:text-ink",
              )}
            >
              {status === undefined ? "All" : statusWords(status)}
              {count !== undefined && <span className="money text-sm text-ink-soft">{count}</span>}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
