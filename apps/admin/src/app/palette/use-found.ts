import { formatGroupedMoney, itemTitle, orderName } from "@keepsats/domain";
import { hasPermission, type PackingOrderPage, type Role } from "@keepsats/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { isFound, itemsQuery } from "../../lib/items.ts";
import { readOrderPage } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { statusLabel } from "../../ui/order-labels.tsx";
import { type Command, type CommandGroup, commandsFor, foundCommands, go } from "./commands.ts";

/** The maximum number of orders, and of items, that the palette shows. */
const MAX_SHOWN = 7;

function foundOrdersQuery(text: string, role: Role) {
  return queryOptions({
    queryKey: ["found orders", text],
    meta: { topics: ["orders"] },
    queryFn: async ({ signal }): Promise<PackingOrderPage["orders"]> => {
      const query = new URLSearchParams({ q: text, limit: String(MAX_SHOWN) });
      return (await readOrderPage(role, query, signal)).orders;
    },
  });
}

/**
 * The entries of the palette for a text.
 *
 * @param searched the text of the search for orders, which follows `text` once typing pauses
 * @returns `error`: why orders or items are missing
 */
export function useFound(text: string, searched: string) {
  const { role } = useSession().staff;
  const wanted = text.trim();
  const hasOrders = wanted !== "" && hasPermission(role, "orders:pack");
  const hasItems = wanted !== "" && hasPermission(role, "items:read");
  const isCurrent = hasOrders && searched === wanted;
  const orders = useQuery({ ...foundOrdersQuery(searched, role), enabled: isCurrent });
  // Orders of an earlier text are not shown: Enter would open one of them.
  const foundOrders = (isCurrent && orders.data) || [];
  const items = useQuery({ ...itemsQuery, enabled: hasItems });
  const foundItems = hasItems
    ? (items.data ?? []).filter((item) => isFound(item, wanted)).slice(0, MAX_SHOWN)
    : [];
  const groups: readonly CommandGroup[] = [
    ...foundCommands(commandsFor(role), wanted),
    {
      title: "Items",
      items: foundItems.map((item) => ({
        id: `item ${item.id}`,
        label: itemTitle(item),
        detail: formatGroupedMoney(item.price),
        run: go(`/items?edit=${encodeURIComponent(item.id)}`),
      })),
    },
    {
      title: "Orders",
      items: hasOrders ? [...foundOrders.map(orderCommand), allOrders(wanted)] : [],
    },
  ];
  return {
    groups: groups.filter((group) => group.items.length > 0),
    isSearching: (hasOrders && !isCurrent) || orders.isLoading || items.isLoading,
    error: orders.error ?? items.error,
  };
}

function orderCommand(order: PackingOrderPage["orders"][number]): Command {
  const { id, customer_name, status } = order;
  return {
    id: `order ${id}`,
    label: `${orderName(order)} ${customer_name}`.trim(),
    detail: statusLabel(status),
    run: go(`/orders/${id}`),
  };
}

function allOrders(text: string): Command {
  return {
    id: "all orders",
    label: `Search orders for “${text}”`,
    run: go(`/orders?${new URLSearchParams({ q: text })}`),
  };
}
