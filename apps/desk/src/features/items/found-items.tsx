import type { MerchantItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import { Input } from "../../ui/input.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { idsByStockQuery } from "./items-queries.ts";
import { ItemsTable } from "./items-table.tsx";
import { useItemChanges } from "./use-item-changes.ts";
import { useItemSearch } from "./use-item-search.ts";

/** How many items are shown at a time. */
const AT_A_TIME = 100;

interface FoundItemsProps {
  readonly items: readonly MerchantItem[];
  /** Stays the same function. */
  readonly onEdit: (item: MerchantItem) => void;
}

/** The search, and the table of the items that are found. */
export function FoundItems({ items, onEdit }: FoundItemsProps) {
  const { typed, setTyped, input } = useItemSearch();
  // The field shows what is typed before the table has followed.
  const text = useDeferredValue(typed);
  const { stock, ids, showAll } = useStockFilter();
  const { move, hide } = useItemChanges();
  const [shown, setShown] = useState({ text, count: AT_A_TIME });
  const count = shown.text === text ? shown.count : AT_A_TIME;
  const found = items.filter((item) => isFound(item, text) && ids?.has(item.id) !== false);
  const isAll = stock === undefined && found.length === items.length;
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
        <p role="status" className="min-h-11 content-center text-sm text-ink-soft">
          {countWords(found.length, items.length)}
        </p>
      </search>
      {stock !== undefined && (
        <p className="mb-4 flex flex-wrap items-center gap-3">
          {stock === "low"
            ? "Only items of which a few pieces are left."
            : "Only items that are sold out."}
          <Button onClick={showAll}>Show all</Button>
        </p>
      )}
      {found.length === 0 ? (
        <Empty>No item is like this.</Empty>
      ) : (
        <ItemsTable
          items={found.slice(0, count)}
          count={found.length}
          canMove={isAll}
          onMove={move}
          onEdit={onEdit}
          onHide={hide}
        />
      )}
      {found.length > count && (
        <div className="py-5 text-center">
          <Button onClick={() => setShown({ text, count: count + AT_A_TIME })}>Show more</Button>
        </div>
      )}
    </>
  );
}

/**
 * The filter of the address, as in the links of the screen Today: `?stock=low`. `ids` is
 * `undefined` for all items.
 */
function useStockFilter() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get("stock");
  const stock = asked === "low" || asked === "none" ? asked : undefined;
  const { data } = useQuery({ ...idsByStockQuery(stock ?? "low"), enabled: stock !== undefined });
  return {
    stock,
    ids: stock === undefined ? undefined : data,
    showAll: () => setParameters(withoutStock, { replace: true }),
  };
}

function withoutStock(parameters: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(parameters);
  next.delete("stock");
  return next;
}

function countWords(found: number, all: number): string {
  const items = all === 1 ? "1 item" : `${all.toLocaleString("en")} items`;
  return found === all ? items : `${found.toLocaleString("en")} of ${items}`;
}

function isFound({ id, name }: MerchantItem, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
}
