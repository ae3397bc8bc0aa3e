/** The parameters of the shop page's address: `q` and `sort` search, `item` opens a dialog. */
type Parameter = "q" | "sort" | "item";

/** The longest text that can be searched for. */
export const MAX_QUERY = 100;

/** The search in the query of an address. */
export interface SearchAddress {
  readonly text: string;
  /** As it stands in the address; empty without one. */
  readonly sort: string;
}

export function searchIn(search: string): SearchAddress {
  const query = new URLSearchParams(search);
  return { text: query.get("q")?.slice(0, MAX_QUERY) ?? "", sort: query.get("sort") ?? "" };
}

/** The id of the item whose dialog an address opens; `null` without one. */
export function itemIn(search: string): string | null {
  return new URLSearchParams(search).get("item");
}

/**
 * The address of the shop page with some parameters changed; an empty one is removed.
 *
 * @param search the query of the present address
 * @example shopAddress("?q=pot", { item: "moka-pot" }) // "/?q=pot&item=moka-pot"
 */
export function shopAddress(
  search: string,
  changes: Readonly<Partial<Record<Parameter, string>>>,
): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? "/" : `/?${query}`;
}
