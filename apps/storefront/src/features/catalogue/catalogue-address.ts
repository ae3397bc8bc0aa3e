/**
 * The query parameters of the shop page: `category` filters, `q` and `sort` search, `item` opens a
 * dialog.
 */
type Parameter = "category" | "q" | "sort" | "item";

/** The maximum length of a search text. */
export const MAX_QUERY = 100;

/** Both are empty without one. The sort order is not validated. */
export function searchIn(search: string): { readonly text: string; readonly sort: string } {
  const query = new URLSearchParams(search);
  return { text: query.get("q")?.slice(0, MAX_QUERY) ?? "", sort: query.get("sort") ?? "" };
}

/** The id of the category; `null` without one. */
export function categoryIn(search: string): string | null {
  return new URLSearchParams(search).get("category");
}

/** The id of the item whose dialog is open; `null` without one. */
export function itemIn(search: string): string | null {
  return new URLSearchParams(search).get("item");
}

/**
 * The URL of the shop page with changed parameters; an empty value removes a parameter.
 *
 * @param search the current query
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
