/**
 * Who changes an order: the shopper, the loan provider, the shop itself (for example when an order
 * expires), or the merchant; `name` is that of the member of staff or of the API token.
 */
export type Actor =
  | { readonly kind: "shopper" | "provider" | "shop" }
  | { readonly kind: "merchant"; readonly name: string };

/** The columns of an event that say who made the change. */
export function actorColumns(by: Actor): { by: Actor["kind"]; by_name: string | null } {
  return { by: by.kind, by_name: by.kind === "merchant" ? by.name : null };
}
