import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { foundText, parametersOf } from "./order-filter.ts";
import { csvPath, ordersQuery } from "./orders-queries.ts";
import { OrdersTable } from "./orders-table.tsx";
import { SearchFields } from "./search-fields.tsx";
import { ShowMore } from "./show-more.tsx";
import { StatusTabs } from "./status-tabs.tsx";
import { useFilter } from "./use-filter.ts";
import { useSettledRows } from "./use-settled-rows.ts";
import { useTableKeys } from "./use-table-keys.ts";

/** The orders: searched, filtered, live; several can be shipped or printed at once. */
export default function OrdersScreen() {
  const { filter, change } = useFilter();
  const client = useQueryClient();
  const query = useQuery(ordersQuery(filter));
  const { orders, missed = 0 } = query.data ?? {};
  const { rows, arrived, refresh } = useSettledRows({
    list: parametersOf(filter).toString(),
    listed: orders,
    isReading: query.isFetching,
  });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.map(({ order }) => order).filter(({ id }) => selected.has(id));

  const toggle = useCallback((id: string) => {
    setSelected((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  useTableKeys(toggle);

  /** A list that has missed orders has a gap: it is read from its beginning. */
  function showNew(): void {
    if (missed > 0)
      void client.resetQueries({ queryKey: ordersQuery(filter).queryKey, exact: true });
    else refresh();
  }
  const hasFilter = parametersOf(filter).size > 0;
  return (
    <Screen
      title="Orders"
      actions={
        <a href={csvPath(filter)} download="orders.csv" className={buttonClasses("plain")}>
          Export as CSV
        </a>
      }
    >
      <StatusTabs selected={filter.statuses} onSelect={(statuses) => change({ statuses })} />
      <SearchFields filter={filter} onChange={change} />
      <p role="status" className="text-sm text-ink-soft">
        {filter.text !== "" &&
          query.data !== undefined &&
          foundText(query.data.orders.length, query.data.next_cursor !== null)}
      </p>
      <Loaded query={query} what="The orders">
        {() => (
          <>
            <div
              className={classes(
                "flex min-h-12 flex-wrap items-center gap-3 py-2",
                chosen.length + arrived + missed > 0 && "sticky top-0 z-20 bg-paper",
              )}
              aria-live="polite"
            >
              {arrived + missed > 0 && (
                <Button kind="strong" onClick={showNew}>
                  {arrivedText(arrived, missed)}
                </Button>
              )}
              <BulkActions orders={chosen} onDone={() => setSelected(new Set())} />
            </div>
            {rows.length === 0 ? (
              <Empty>{hasFilter ? "No order is like this." : "There are no orders yet."}</Empty>
            ) : (
              <OrdersTable rows={rows} selected={selected} onToggle={toggle} />
            )}
            {query.data?.next_cursor && (
              <ShowMore key={parametersOf(filter).toString()} filter={filter} />
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function arrivedText(arrived: number, missed: number): string {
  if (missed > 0) return `More than ${arrived + missed} new orders`;
  return arrived === 1 ? "1 new order" : `${arrived} new orders`;
}
