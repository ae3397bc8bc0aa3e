import { paths, withId } from "@keepsats/protocol";
import { anAddress } from "../test/harness/builders.ts";
import { orderOf, type Person } from "./people.ts";
import type { Action } from "./plan.ts";
import { checkForgotten } from "./search-invariants.ts";
import { decideAboutMoney } from "./staff-money.ts";
import { askAsStaff as ask } from "./staff-request.ts";
import type { World } from "./world.ts";

/** What the staff does to an order at any time, whatever its status is. */
export function treat(
  world: World,
  person: Person,
  { how, share }: Extract<Action, { kind: "treat" }>,
): void {
  const order = orderOf(person);
  if (order === undefined) return;
  const { id } = order;
  const said = (statusCode: number) =>
    world.note(`the staff ${how}s order ${id.slice(0, 8)}: ${statusCode}`);
  switch (how) {
    case "note":
      return ask(
        world,
        { method: "POST", url: withId(paths.merchant.notes, id), payload: { text: "Seen." } },
        (answer) => said(answer.statusCode),
      );
    case "correct": {
      const shipping_address = anAddress({ city: `City of staff ${share}` });
      return ask(
        world,
        { method: "PATCH", url: withId(paths.merchant.order, id), payload: { shipping_address } },
        (answer) => said(answer.statusCode),
      );
    }
    case "track": {
      const payload = { tracking_number: `T${share}` };
      return ask(
        world,
        { method: "PATCH", url: withId(paths.merchant.order, id), payload },
        (answer) => said(answer.statusCode),
      );
    }
    case "refund":
    case "resolve":
    case "reopen":
    case "reverse":
      return decideAboutMoney(world, id, how, share);
    case "erase":
      return erase(world, person, id);
  }
}

/** The staff erases the personal data of an order. */
function erase(world: World, person: Person, id: string): void {
  ask(world, { method: "POST", url: withId(paths.merchant.erasure, id) }, ({ statusCode }) => {
    world.note(`the staff erases order ${id.slice(0, 8)}: ${statusCode}`);
    const order = world.state.orders.get(id);
    if (statusCode === 200 && (order?.email !== "" || /London|City/.test(order.shippingAddress)))
      world.fail("not-erased", `order ${id} still has ${order?.email}`);
    const purchase = person.purchases.find(({ placed }) => placed?.id === id);
    if (statusCode === 200 && purchase !== undefined) checkForgotten(world, purchase);
  });
}
