import { call } from "@keepsats/client";
import { itemTitle } from "@keepsats/domain";
import { type AdminItem, adminItemsSchema, paths } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/** All items in the order of the shop, including hidden ones. */
export const itemsQuery = queryOptions({
  queryKey: ["items"],
  meta: { topics: ["items"] },
  queryFn: async ({ signal }) =>
    (await call({ path: paths.admin.items, answer: adminItemsSchema, signal })).items,
});

export function isFound(item: AdminItem, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [itemTitle(item), item.id].some((one) => one.toLowerCase().includes(wanted));
}
