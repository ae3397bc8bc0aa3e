/**
 * The parameters of the shop page's address, `/?q=pot&sort=name&item=moka-pot`: a search and an
 * item's dialog.
 */
const queryParameter = "q";
const sortParameter = "sort";
export const itemParameter = "item";

/** The longest text that can be searched for. */
export const MAX_QUERY = 100;

/** What the address searches for. */
export interface SearchAddress {
  readonly text: string;
  /** As it stands in the address; empty without one. */
  readonly sort: string;
}

/** Reads the search of an address. */
export function searchIn(query: URLSearchParams): SearchAddress {
  return {
    text: query.get(queryParameter)?.slice(0, MAX_QUERY) ?? "",
    sort: query.get(sortParameter) ?? "",
  };
}

/** The query of the address with another search; an empty text or order is left out. */
export function withSearch(query: URLSearchParams, { text, sort }: SearchAddress): string {
  const searched = new URLSearchParams(query);
  for (const [name, value] of [
    [queryParameter, text],
    [sortParameter, sort],
  ] as const) {
    if (value === "") searched.delete(name);
    else searched.set(name, value);
  }
  return asQuery(searched);
}

/**
 * The query of the address that opens an item's dialog; the search stays. @example
 * "?q=pot&item=moka-pot"
 */
export function withItem(query: URLSearchParams, itemId: string): string {
  const opened = new URLSearchParams(query);
  opened.set(itemParameter, itemId);
  return `?${opened}`;
}

/** The query of the address without an item's dialog; empty when nothing is left. */
export function withoutItem(query: URLSearchParams): string {
  const closed = new URLSearchParams(query);
  closed.delete(itemParameter);
  return asQuery(closed);
}

function asQuery(query: URLSearchParams): string {
  return query.size === 0 ? "" : `?${query}`;
}
