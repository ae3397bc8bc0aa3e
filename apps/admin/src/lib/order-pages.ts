import { call } from "@keepsats/client";
import {
  hasPermission,
  orderPageSchema,
  packingOrderPageSchema,
  paths,
  type Role,
} from "@keepsats/protocol";

/** A page of the list of orders, or of those to pack if the role permits only packing. */
export async function readOrderPage(role: Role, query: URLSearchParams, signal: AbortSignal) {
  return hasPermission(role, "orders:read")
    ? call({ path: `${paths.admin.orders}?${query}`, answer: orderPageSchema, signal })
    : call({
        path: `${paths.admin.packingOrders}?${query}`,
        answer: packingOrderPageSchema,
        signal,
      });
}
