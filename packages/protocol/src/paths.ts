/** Every path of the shop's API, in one place; `:id` stands for an id, see {@link withId}. */
export const paths = {
  items: "/api/items",
  orders: "/api/orders",
  me: "/api/me",
  orderStream: "/api/ws/order-status",
  openapi: "/api/openapi.json",
  merchant: {
    orders: "/api/merchant/orders",
    order: "/api/merchant/orders/:id",
    transitions: "/api/merchant/orders/:id/transitions",
    mismatches: "/api/merchant/mismatches",
    items: "/api/merchant/items",
    item: "/api/merchant/items/:id",
    import: "/api/merchant/items/import",
  },
} as const;

/** Inserts an id into a path, escaped. */
export function withId(path: string, id: string): string {
  return path.replace(":id", () => encodeURIComponent(id));
}
