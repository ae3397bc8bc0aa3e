import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { ChevronDown, Search } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { MAX_QUERY } from "./catalogue-address.ts";
import { ProductGrid } from "./product-grid.tsx";
import type { Product } from "./products.ts";
import { createSearch, type SortOrder, sorted, sortOrders } from "./search.ts";
import { useSearchAddress } from "./use-search-address.ts";

/** The number of products that are shown at first, and added by each click. */
const PRODUCTS_PER_PAGE = 120;

const sortLabels: Readonly<Record<SortOrder, string>> = {
  shop: "Our selection",
  "price-up": "Price, lowest first",
  "price-down": "Price, highest first",
  name: "Name",
};

const control =
  "min-h-11 w-full rounded-md border border-line-strong bg-raised py-2 focus-visible:rounded-md focus-visible:outline-offset-1";

/** The products with a search field and a sort order, which are in the URL: `/?q=pot&sort=name`. */
export function SearchProducts({ products }: { products: readonly Product[] }) {
  const { text, sort, setText, store } = useSearchAddress();
  const field = useRef<HTMLInputElement>(null);
  const query = useDeferredValue(text);
  const order = sortOrders.find((known) => known === sort) ?? "shop";
  const search = useMemo(() => createSearch(products), [products]);
  const found = useMemo(() => sorted(search(query), order), [search, query, order]);

  function clear(): void {
    setText("");
    store({ q: "" });
    field.current?.focus();
  }

  return (
    <>
      <search>
        <form
          className="mb-3 flex flex-wrap gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            // Also closes the keyboard of a phone.
            field.current?.blur();
          }}
        >
          <div className="relative min-w-0 grow basis-52">
            <Search
              aria-hidden
              size={18}
              className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
            />
            <input
              ref={field}
              type="search"
              aria-label="Search products"
              placeholder="Search"
              autoComplete="off"
              enterKeyHint="search"
              maxLength={MAX_QUERY}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onBlur={() => store({})}
              className={classes(
                control,
                "pr-3 pl-10 placeholder:text-ink-soft [&::-webkit-search-cancel-button]:hidden",
              )}
            />
          </div>
          <div className="relative grow sm:grow-0">
            <select
              aria-label="Sort by"
              value={order}
              onChange={({ target }) =>
                store({ sort: target.value === "shop" ? "" : target.value })
              }
              className={classes(control, "cursor-pointer appearance-none pr-10 pl-3")}
            >
              {sortOrders.map((known) => (
                <option key={known} value={known}>
                  {sortLabels[known]}
                </option>
              ))}
            </select>
            <ChevronDown
              aria-hidden
              size={18}
              className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
            />
          </div>
        </form>
        <p role="status" className="mb-6 text-sm text-ink-soft">
          {found.length < products.length && `${found.length} of `}
          {products.length} products
        </p>
      </search>
      {found.length === 0 ? (
        <div className="border-y border-line py-10">
          <p className="mb-5 text-lg wrap-anywhere">Nothing found for “{query.trim()}”.</p>
          <Button onClick={clear}>Clear the search</Button>
        </div>
      ) : (
        <Pages products={found} />
      )}
    </>
  );
}

/** The first products and a button for more: thousands of cards would make the page slow. */
function Pages({ products }: { products: readonly Product[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [pages, setPages] = useState({ of: products, count: PRODUCTS_PER_PAGE });
  const count = pages.of === products ? pages.count : PRODUCTS_PER_PAGE;

  function showMore(): void {
    flushSync(() => setPages({ of: products, count: count + PRODUCTS_PER_PAGE }));
    list.current?.children[count]?.querySelector("a")?.focus({ preventScroll: true });
  }

  return (
    <>
      <ProductGrid ref={list} products={products.slice(0, count)} />
      {products.length > count && (
        <div className="mt-12 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-6">
          <p className="text-ink-soft">
            {count} of {products.length} shown
          </p>
          <Button onClick={showMore}>Show more products</Button>
        </div>
      )}
    </>
  );
}
