import { paths } from "@keepsats/protocol";
import type { Customers, Purchase } from "../actors/customers.ts";
import type { CommittedOrder } from "../committed-state.ts";
import type { World } from "../world.ts";

/** More than there are orders. */
const LIMIT = "200";

/**
 * Every order is found by its words and by the start of its id. An erased order is found by its items
 * and its id, and not by its customer.
 */
export function checkSearch(world: World, customers: Customers): void {
  const purchases = [...customers.values()].flatMap((customer) => customer.purchases);
  for (const order of world.state.orders.values()) {
    const purchase = purchases.find(({ placed }) => placed?.id === order.id);
    checkFound(world, order, order.id.slice(0, 8));
    for (const { item_id } of purchase?.body.items ?? []) checkFound(world, order, item_id);
    if (purchase === undefined) continue;
    if (isErased(order)) checkNotFound(world, purchase);
    else for (const text of personalDataOf(purchase)) checkFound(world, order, text);
  }
}

/** An erased order is not found by its customer. */
export function checkNotFound(world: World, purchase: Purchase): void {
  const { placed } = purchase;
  for (const text of personalDataOf(purchase))
    search(world, text, (found) => {
      if (placed !== undefined && found.includes(placed.id))
        world.fail("erased-still-found", `order ${placed.id} is erased, and found by ${text}`);
    });
}

function isErased({ customer_email }: CommittedOrder): boolean {
  return customer_email === "";
}

function personalDataOf({ body: { customer_name, customer_email } }: Purchase): string[] {
  return [customer_name, customer_email];
}

function checkFound(world: World, { id, version }: CommittedOrder, text: string): void {
  search(world, text, (found) => {
    const isSame = world.state.orders.get(id)?.version === version;
    if (isSame && !found.includes(id))
      world.fail("not-searchable", `order ${id} is not found by ${text}`);
  });
}

/** @param onFound called with the ids, if the shop answers */
function search(world: World, text: string, onFound: (ids: readonly unknown[]) => void): void {
  const url = `${paths.admin.orders}?${new URLSearchParams({ q: text, limit: LIMIT })}`;
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const orders: readonly object[] = json().orders;
    onFound(orders.map((order) => Reflect.get(order, "id")));
  });
}
