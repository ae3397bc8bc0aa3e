import { paths } from "@keepsats/protocol";
import type { CommittedOrder } from "./committed.ts";
import type { People, Purchase } from "./people.ts";
import { STAFF } from "./shop.ts";
import type { World } from "./world.ts";

/** How many orders a search lists here: more than there are. */
const LIMIT = "200";

/**
 * Searches every order by its words and by the beginning of its id. An erased order must be found
 * by its items and its id, and not by who ordered it.
 */
export function checkSearch(world: World, people: People): void {
  const purchases = [...people.values()].flatMap((person) => person.purchases);
  for (const order of world.state.orders.values()) {
    const purchase = purchases.find(({ placed }) => placed?.id === order.id);
    checkFound(world, order, order.id.slice(0, 8));
    for (const { item_id } of purchase?.body.items ?? []) checkFound(world, order, item_id);
    if (purchase === undefined) continue;
    if (isErased(order)) checkForgotten(world, purchase);
    else for (const text of peopleIn(purchase)) checkFound(world, order, text);
  }
}

/** Searches an erased order by the words of who ordered it. */
export function checkForgotten(world: World, purchase: Purchase): void {
  const { placed } = purchase;
  for (const text of peopleIn(purchase))
    search(world, text, (found) => {
      if (placed !== undefined && found.includes(placed.id))
        world.fail("erased-still-found", `order ${placed.id} is erased, and found by ${text}`);
    });
}

function isErased({ email }: CommittedOrder): boolean {
  return email === "";
}

function peopleIn({ body: { customer_name, customer_email } }: Purchase): string[] {
  return [customer_name, customer_email];
}

function checkFound(world: World, { id, version }: CommittedOrder, text: string): void {
  search(world, text, (found) => {
    const isSame = world.state.orders.get(id)?.version === version;
    if (isSame && !found.includes(id))
      world.fail("not-searchable", `order ${id} is not found by ${text}`);
  });
}

/** Searches as the staff does. @param onFound called with the ids, if the shop answers */
function search(world: World, text: string, onFound: (ids: readonly unknown[]) => void): void {
  const url = `${paths.merchant.orders}?${new URLSearchParams({ q: text, limit: LIMIT })}`;
  world.shop?.request({ method: "GET", url, headers: STAFF }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const orders: readonly object[] = json().orders;
    onFound(orders.map((order) => Reflect.get(order, "id")));
  });
}
