import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { Input } from "@keepsats/ui/input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useRef, useState } from "react";
import { counted } from "../../lib/format.ts";
import { isFound } from "../../lib/items.ts";
import { useParameter } from "../../lib/parameters.ts";
import { MAX_SELECTED, selectAllText, useSelection } from "../../lib/selection.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { Empty } from "../../ui/loaded.tsx";
import { BulkActions } from "./bulk/bulk-actions.tsx";
import { CategorySelect } from "./category-select.tsx";
import { itemsByStockQuery } from "./queries.ts";
import { ItemsTable } from "./table/items-table.tsx";
import { useItemOrder } from "./table/use-item-order.ts";

/** How many items are shown at first, and added by "Show more". */
const PAGE_SIZE = 100;

interface FoundItemsProps {
  readonly items: readonly AdminItem[];
  /** Must be a stable function. */
  readonly onEdit: (item: AdminItem) => void;
}

export function FoundItems({ items, onEdit }: FoundItemsProps) {
  const { typed, setTyped, input } = useItemSearch();
  // Deferred, so that the field responds before the table.
  const text = useDeferredValue(typed);
  const { stock, ids, showAll } = useStockFilter();
  // Empty for items without a category, `null` for all items.
  const [category, setCategory] = useParameter("category");
  const { ordered, move } = useItemOrder(items);
  const [count, setCount] = useState(PAGE_SIZE);
  const found = ordered.filter(
    (item) =>
      isFound(item, text) &&
      ids?.has(item.id) !== false &&
      (category === null || category === (item.category ?? "")),
  );
  const listed = found.map(({ id }) => id);
  const selection = useSelection(listed);
  const { selected } = selection;
  const chosen = found.filter(({ id }) => selected.has(id));
  const isAll = stock === undefined && category === null && found.length === items.length;
  if (items.length === 0) return <Empty>There are no items yet. Add one, or import a file.</Empty>;
  return (
    <>
      <search className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2">
        <Input
          ref={input}
          label="Search"
          type="search"
          value={typed}
          placeholder="Name or id"
          maxLength={200}
          onChange={({ target }) => setTyped(target.value)}
          className="grow basis-60 sm:max-w-md"
        />
        {(category !== null || items.some((item) => item.category !== null)) && (
          <CategorySelect
            label="Category"
            value={category ?? ALL}
            onChange={({ target: { value } }) => setCategory(value === ALL ? null : value)}
          >
            <option value={ALL}>All</option>
            <option value="">None</option>
          </CategorySelect>
        )}
        <p role="status" className="min-h-11 content-center text-sm text-ink-soft">
          {countText(found.length, items.length)}
        </p>
      </search>
      {stock !== undefined && (
        <p className="mb-4 flex flex-wrap items-center gap-3">
          {stock === "low" ? "Only items that are low in stock." : "Only items that are sold out."}
          <Button onClick={showAll}>Show all</Button>
        </p>
      )}
      <div
        className={classes(
          "flex min-h-12 flex-wrap items-center gap-3 py-2",
          chosen.length > 0 && "sm:tall:sticky sm:tall:top-0 sm:tall:z-20 bg-paper",
        )}
        aria-live="polite"
      >
        <BulkActions items={chosen} onDone={selection.clear} />
        {chosen.length < Math.min(found.length, MAX_SELECTED) && (
          <Button onClick={() => selection.selectAll(listed)}>
            {selectAllText("item", found.length)}
          </Button>
        )}
      </div>
      {found.length === 0 ? (
        <Empty>No items match.</Empty>
      ) : (
        <ItemsTable
          items={found.slice(0, count)}
          allItems={items}
          count={found.length}
          canMove={isAll}
          selected={selected}
          onToggle={selection.toggle}
          onExtend={selection.extend}
          onMove={move}
          onEdit={onEdit}
        />
      )}
      {found.length > count && (
        <div className="py-5 text-center">
          <Button onClick={() => setCount(count + PAGE_SIZE)}>Show more</Button>
        </div>
      )}
    </>
  );
}

/** The search in the address (`?q=mug`). The key `/` focuses its field, `input`. */
function useItemSearch() {
  const [searched, setSearched] = useParameter("q");
  const input = useRef<HTMLInputElement>(null);
  const search = useCallback(
    (text: string) => setSearched(text === "" ? null : text),
    [setSearched],
  );
  const [typed, setTyped] = useSearchText(searched ?? "", search);
  useShortcuts(new Map([["/", () => input.current?.focus()]]));
  return { typed, setTyped, input };
}

/** The filter of Today's links, such as `?stock=low`. `ids` is `undefined` for all items. */
function useStockFilter() {
  const [value, setValue] = useParameter("stock");
  const stock = value === "low" || value === "none" ? value : undefined;
  const { data } = useQuery({ ...itemsByStockQuery(stock ?? "low"), enabled: stock !== undefined });
  const isListed = stock !== undefined && data !== undefined;
  const ids = isListed ? new Set(data.items.map(({ id }) => id)) : undefined;
  return { stock, ids, showAll: () => setValue(null) };
}

/** The value of the filter for all categories. No category has it as its name: it is trimmed. */
const ALL = " ";

function countText(found: number, all: number): string {
  const items = counted(all, "item");
  return found === all ? items : `${found.toLocaleString("en")} of ${items}`;
}
