import { orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { anAddress } from "../test/harness/builders.ts";
import { orderOf, type Person, type Placed } from "./people.ts";
import { PUBLIC_URL } from "./shop.ts";
import type { World } from "./world.ts";

function headersOf({ key }: Placed) {
  return { origin: PUBLIC_URL, [orderKeyHeader]: key };
}

/** The shopper cancels the own order. */
export function cancelOwn(world: World, person: Person): void {
  const order = orderOf(person);
  const { shop } = world;
  if (order === undefined || shop === undefined) return;
  const url = withId(paths.cancellation, order.id);
  shop.request({ method: "POST", url, headers: headersOf(order) }, ({ statusCode }) => {
    world.note(`s${person.number} cancels order ${order.id.slice(0, 8)}: ${statusCode}`);
    if (statusCode === 200 && world.state.orders.get(order.id)?.status !== "Cancelled")
      world.fail("acknowledged-cancellation-lost", `order ${order.id} is not cancelled`);
  });
}

/** The shopper corrects the shipping address of the own order. */
export function correctOwn(world: World, person: Person): void {
  const order = orderOf(person);
  const { shop } = world;
  if (order === undefined || shop === undefined) return;
  person.corrections += 1;
  const city = `City ${person.number}-${person.corrections}`;
  const payload = { shipping_address: anAddress({ city }) };
  const url = withId(paths.order, order.id);
  shop.request({ method: "PATCH", url, headers: headersOf(order), payload }, ({ statusCode }) => {
    world.note(`s${person.number} corrects order ${order.id.slice(0, 8)}: ${statusCode}`);
    if (statusCode === 200) checkCorrected(world, order.id, city);
  });
}

/** An acknowledged correction is stored, unless the address was corrected again or erased since. */
function checkCorrected(world: World, orderId: string, city: string): void {
  const order = world.state.orders.get(orderId);
  const isStored = order?.shippingAddress.includes(city) === true;
  const isOverwritten = order?.events.some(
    ({ data, kind }) => kind === "erased" || data?.includes(city) === true,
  );
  if (!isStored && isOverwritten !== true)
    world.fail("acknowledged-correction-lost", `order ${orderId} does not go to ${city}`);
}
