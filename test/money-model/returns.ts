/** Returns: customers request them, staff open, decide about, receive and refund them. */
import type { Random } from "../../simulation/random.ts";
import type { Order } from "../harness/money-answers.ts";
import { grantOf, priceOf, somePieces } from "./grants.ts";
import { refund } from "./refunds.ts";
import type { Answer } from "./shop.ts";
import type { World } from "./world.ts";

type Return = Order["returns"][number];

/** Whether staff are not done with a return. */
export const isOpen = ({ state }: Return) => ["requested", "accepted", "received"].includes(state);

export const hasOpenReturn = ({ returns }: Order) => returns.some(isOpen);

/** Opens a return of the order, or takes one of its returns a step further. */
export async function treatReturns(world: World, random: Random, order: Order): Promise<void> {
  const open = order.returns.filter(isOpen);
  const one = open[random.below(open.length)];
  if (one === undefined || random.chance(0.2)) return openReturn(world, random, order);
  if (one.state === "requested" && random.chance(0.3)) return withdraw(world, order, one);
  if (one.state === "received" && random.chance(0.7))
    return refundReturn(world, random, order, one);
  return moveReturn(world, random, order, one);
}

async function openReturn(world: World, random: Random, order: Order): Promise<void> {
  const ordered = order.items.map(({ id: item_id, quantity }) => ({ item_id, quantity }));
  const isTooMuch = random.chance(0.1);
  const lines = somePieces(random, ordered).map(({ item_id, quantity }) => ({
    item_id,
    quantity: isTooMuch ? quantity + 5 : quantity,
  }));
  const body = { lines, reason: "It is too small." };
  const key = world.orders.find(({ id }) => id === order.id)?.key ?? "";
  const isOfCustomer = random.chance(0.5);
  const answer = isOfCustomer
    ? await world.shop.call({
        method: "POST",
        path: `/api/orders/${order.id}/returns`,
        headers: { "order-key": key },
        body,
      })
    : await world.shop.staff("POST", `orders/${order.id}/returns`, body);
  const who = isOfCustomer ? "the customer requests" : "staff open";
  world.answered(`${who} a return (${order.status})`, order.id, answer);
  if (answer.status >= 300) return;
  if (isTooMuch) world.fail("returned-too-much", JSON.stringify(lines), order.id);
  if (isOfCustomer) {
    const { returns } = await world.shop.order(order.id);
    if (returns.length === 0) world.fail("return-lost", "a request", order.id);
  } else acknowledge(world, order, idIn(answer), "accepted");
}

/** The next state of a return that staff do not decline. */
const next: Readonly<Record<string, string>> = {
  requested: "accepted",
  accepted: "received",
  received: "completed",
};

async function moveReturn(
  world: World,
  random: Random,
  order: Order,
  { id, state }: Return,
): Promise<void> {
  const to = random.chance(0.2) ? "declined" : (next[state] ?? "declined");
  const path = `orders/${order.id}/returns/${id}/transitions`;
  const send = () => world.shop.staff("POST", path, { to, expected_state: state });
  const answers = await Promise.all(random.chance(0.3) ? [send(), send()] : [send()]);
  for (const answer of answers) {
    world.answered(`a return becomes ${to}`, `${order.id} ${id}`, answer);
    if (answer.status === 200) acknowledge(world, order, id, to);
  }
}

async function withdraw(world: World, order: Order, { id }: Return): Promise<void> {
  const key = world.orders.find((one) => one.id === order.id)?.key ?? "";
  const path = `/api/orders/${order.id}/returns/${id}/withdrawal`;
  const headers = { "order-key": key };
  const answer = await world.shop.call({ method: "POST", path, headers, body: {} });
  world.answered("the customer withdraws a return", `${order.id} ${id}`, answer);
  // A repeated withdrawal is answered as the first one.
  const isKnown = world.returnSteps.some((step) => step.returnId === id && isWithdrawn(step));
  if (answer.status === 200 && !isKnown) acknowledge(world, order, id, "withdrawn");
}

const isWithdrawn = ({ state }: { readonly state: string }) => state === "withdrawn";

/** Refunds pieces of a received return, sometimes twice at once. */
async function refundReturn(
  world: World,
  random: Random,
  order: Order,
  { id, lines: pieces }: Return,
): Promise<void> {
  const lines = somePieces(random, pieces);
  const granted = { grant: "return", lines, return_id: id } as const;
  const request = () => grantOf(order, priceOf(order, lines), granted);
  const requests = random.chance(0.3) ? [request(), request()] : [request()];
  const answers = await Promise.all(requests.map((one) => refund(world, one)));
  for (const { status } of answers) if (status === 201) acknowledge(world, order, id, "refunded");
}

function acknowledge({ returnSteps, fail }: World, order: Order, id: string, state: string): void {
  if (returnSteps.some((step) => step.returnId === id && step.state === state))
    fail("return-moved-twice", `${id} became ${state}`, order.id);
  returnSteps.push({ orderId: order.id, returnId: id, state });
}

const idIn = ({ body }: Answer) => String(Reflect.get(Object(body), "id"));
