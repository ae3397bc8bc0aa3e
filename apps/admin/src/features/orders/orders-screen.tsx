import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { loadErrorText } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { foundText, parametersOf, useFilter } from "./order-filter.ts";
import { OrdersTable } from "./orders-table.tsx";
import { csvPath, ordersQuery } from "./queries.ts";
import { SearchFields } from "./search-fields.tsx";
import { StatusTabs } from "./status-tabs.tsx";
import { useTableKeys } from "./table-keys.ts";

/** The live list of orders, with search, filters and bulk actions. */
export default function OrdersScreen() {
  const { filter, change, visit } = useFilter();
  const query = useInfiniteQuery(ordersQuery(filter, visit));
  const { pages = [] } = query.data ?? {};
  const rows = pages.flatMap((page) => page.rows);
  const { arrived = 0, mayHaveMoreArrived = false } = pages[0] ?? {};
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

  async function showMore(): Promise<void> {
    const { isFetching } = query;
    await query.fetchNextPage();
    // Fetching the next page has cancelled the current refetch.
    if (isFetching) await query.refetch();
  }
  const hasMoreFailed = query.isFetchNextPageError;
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
          foundText(rows.filter(({ left }) => !left).length, query.hasNextPage)}
      </p>
      <Loaded query={hasMoreFailed ? { ...query, error: null } : query} subject="The orders">
        {() => (
          <>
            <div
              className={classes(
                "flex min-h-12 flex-wrap items-center gap-3 py-2",
                chosen.length + arrived > 0 && "sticky top-0 z-20 bg-paper",
              )}
              aria-live="polite"
            >
              {arrived > 0 && (
                <Button kind="strong" onClick={() => change({})}>
                  {arrivedText(arrived, mayHaveMoreArrived)}
                </Button>
              )}
              <BulkActions orders={chosen} onDone={() => setSelected(new Set())} />
            </div>
            {rows.length === 0 ? (
              <Empty>{hasFilter ? "No orders match." : "There are no orders yet."}</Empty>
            ) : (
              <OrdersTable rows={rows} selected={selected} onToggle={toggle} />
            )}
            {query.hasNextPage && (
              <div className="py-5 text-center">
                <p role="alert" className={hasMoreFailed ? "mb-3 text-danger" : "sr-only"}>
                  {hasMoreFailed && loadErrorText(query.error)}
                </p>
                <Button
                  onClick={() => query.isFetchingNextPage || void showMore()}
                  aria-disabled={query.isFetchingNextPage}
                >
                  {query.isFetchingNextPage ? "Loading…" : "Show more"}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function arrivedText(arrived: number, mayHaveMoreArrived: boolean): string {
  if (mayHaveMoreArrived) return `${arrived}+ new orders`;
  return counted(arrived, "new order");
}
