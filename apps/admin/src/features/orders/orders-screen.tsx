import { hasPermission } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { Input, Select } from "@keepsats/ui/input.tsx";
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { Link } from "react-router";
import { counted } from "../../lib/format.ts";
import { MAX_SELECTED, selectAllText, useSelection } from "../../lib/selection.ts";
import { useSession } from "../../lib/session.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { DayFields } from "../../ui/day-fields.tsx";
import { Download } from "../../ui/download.tsx";
import { Empty, Loaded, ShowMore } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import {
  foundText,
  type OrderFilter,
  parametersOf,
  sortingOf,
  sortOf,
  useFilter,
} from "./order-filter.ts";
import { OrdersTable, useTableKeys } from "./orders-table.tsx";
import { csvPath, ordersQuery } from "./queries.ts";
import type { ShownPage } from "./stable-rows.ts";
import { countOf, StatusTabs, useStatusCounts } from "./status-tabs.tsx";

export default function OrdersScreen() {
  const { filter, change, visit } = useFilter();
  const { role } = useSession().staff;
  const query = useInfiniteQuery(ordersQuery(filter, visit, role));
  const { hasNextPage, isFetchingNextPage } = query;
  const { pages = [] } = query.data ?? {};
  const rows = pages.flatMap((page) => page.rows);
  const { arrived = 0 } = pages[0] ?? {};
  const listed = useMemo(() => idsOf(query.data), [query.data]);
  const selection = useSelection(listed);
  const { selected } = selection;
  const chosen = rows.map(({ order }) => order).filter(({ id }) => selected.has(id));
  const counts = useStatusCounts(filter);
  const all = countOf(counts, filter.statuses);
  const [isSelecting, setIsSelecting] = useState(false);
  useTableKeys(selection.toggle);

  /** Loads the orders to select: all selected orders are in the table. */
  async function selectAll(): Promise<void> {
    setIsSelecting(true);
    let result: Pick<typeof query, "data" | "hasNextPage" | "isError"> = query;
    while (result.hasNextPage && !result.isError && idsOf(result.data).length < MAX_SELECTED)
      result = await query.fetchNextPage();
    setIsSelecting(false);
    if (!result.isError) selection.selectAll(idsOf(result.data));
  }

  async function showMore(): Promise<void> {
    const { isFetching } = query;
    await query.fetchNextPage();
    // Fetching the next page has cancelled the current refetch.
    if (isFetching) await query.refetch();
  }
  const hasFilter = parametersOf(filter).size > 0;
  return (
    <Screen
      title="Orders"
      actions={
        hasPermission(role, "orders:read") && (
          <div className="flex flex-wrap items-center gap-4">
            <Link to="/returns" className={textLink}>
              Open returns
            </Link>
            <Download path={csvPath(filter)} name="orders.csv">
              Export as CSV
            </Download>
          </div>
        )
      }
    >
      <StatusTabs
        counts={counts}
        selected={filter.statuses}
        onSelect={(statuses) => change({ statuses })}
      />
      <SearchFields filter={filter} onChange={change} />
      <p role="status" className="text-sm text-ink-soft">
        {filter.text !== "" &&
          query.data !== undefined &&
          foundText(rows.filter(({ hasLeft }) => !hasLeft).length, query.hasNextPage)}
      </p>
      <Loaded query={query} subject="The orders">
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
                  {counted(arrived, "new order")}
                </Button>
              )}
              <BulkActions orders={chosen} onDone={selection.clear} />
              {all !== undefined && chosen.length < Math.min(all.orders, MAX_SELECTED) && (
                <Button onClick={() => isSelecting || void selectAll()} aria-disabled={isSelecting}>
                  {isSelecting ? "Selecting…" : selectAllText("order", all.orders, all.more)}
                </Button>
              )}
            </div>
            {rows.length === 0 ? (
              <Empty>{hasFilter ? "No orders match." : "There are no orders yet."}</Empty>
            ) : (
              <OrdersTable
                rows={rows}
                selected={selected}
                onToggle={selection.toggle}
                onExtend={selection.extend}
              />
            )}
            <ShowMore query={{ hasNextPage, isFetchingNextPage, fetchNextPage: showMore }} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

interface SearchFieldsProps {
  readonly filter: OrderFilter;
  readonly onChange: (part: Partial<OrderFilter>) => void;
}

function SearchFields({ filter, onChange }: SearchFieldsProps) {
  const search = useCallback((text: string) => onChange({ text }), [onChange]);
  const [typed, setTyped] = useSearchText(filter.text, search);
  const { role } = useSession().staff;
  return (
    <search className="flex flex-wrap items-end gap-3 pt-4">
      <Input
        label="Search"
        type="search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        placeholder={
          hasPermission(role, "orders:read") ? "Name, email, item or order number" : "Order number"
        }
        maxLength={200}
        className="min-w-0 grow basis-60"
      />
      <DayFields days={filter} onChange={onChange} />
      <Select
        label="Sort"
        value={sortingOf(filter)}
        onChange={({ target }) => onChange({ sort: sortOf(filter, target.value) })}
        className="grow basis-40 sm:grow-0"
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </Select>
    </search>
  );
}

/** The ids of the shown orders that are still in the list. */
function idsOf(list: InfiniteData<ShownPage> | undefined): readonly string[] {
  const pages = list?.pages ?? [];
  return pages.flatMap(({ rows }) =>
    rows.flatMap(({ order, hasLeft }) => (hasLeft ? [] : order.id)),
  );
}
