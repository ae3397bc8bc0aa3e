/** Customers: they place orders, borrow, follow their orders, and try to cancel them. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isAwaiting } from "../../simulation/balance.ts";
import type { Random } from "../../simulation/random.ts";
import { anOrder } from "../harness/builders.ts";
import { inCents, type Ledger } from "../harness/money-answers.ts";
import { dollars } from "./payout.ts";
import { chooseStory, type Tale } from "./stories.ts";
import type { PlacedOrder, World } from "./world.ts";

/** The items that are bought; the shop counts their pieces. */
export const soldItems = ["brass-sharpener", "enamel-mug", "linen-notebook", "moka-pot"] as const;

/** Whether an account has money that staff have to deal with. */
export function hasOpenMoney({ ledger }: { readonly ledger: Ledger }): boolean {
  const others = ledger.other_currencies.some(({ refundable }) => refundable > 0);
  return ledger.refundable > 0 || ledger.unknown_amounts > 0 || others;
}

async function place(world: World, number: number, random: Random): Promise<PlacedOrder> {
  const [first, second] = [random.pick(soldItems), random.pick(soldItems)];
  const items = [...new Set([first, second])].map((item_id) => ({
    item_id,
    quantity: random.between(1, 5),
  }));
  const email = `customer-${number}@mail.example`;
  const { status, body } = await world.shop.call({
    method: "POST",
    path: "/api/orders",
    body: anOrder({ items, customer_email: email, customer_name: `Customer ${number}` }),
    headers: {
      "idempotency-key": randomUUID(),
      // Each customer has a network of their own.
      "x-forwarded-for": `10.${number >> 8}.${number & 255}.1`,
    },
  });
  if (status !== 201) throw new Error(`an order was answered ${status}: ${JSON.stringify(body)}`);
  const { id, key, total_price } = inCents.placedOrder.parse(body);
  const order = { id, number, key, total: total_price, email };
  world.orders.push(order);
  world.note(`order ${id.slice(0, 8)} (${number}) costs ${dollars(total_price)}`);
  return order;
}

/** Cancels the customer's own order; an order with money must not be cancelled. */
async function cancel(world: World, { id, key }: PlacedOrder): Promise<void> {
  const before = await world.shop.order(id);
  const path = `/api/orders/${id}/cancellation`;
  const headers = { "order-key": key };
  const answer = await world.shop.call({ method: "POST", path, headers, body: {} });
  world.answered("the customer cancels", id, answer);
  if (answer.status !== 200 || !isAwaiting(before.status) || !hasOpenMoney(before)) return;
  const after = await world.shop.order(id);
  // In between, staff may have refunded or kept the money, or cancelled the order themselves.
  const by = after.events.find(({ to }) => to === "Cancelled")?.by;
  if (by === "customer" && hasOpenMoney(after))
    world.fail("cancelled-with-money", "the customer cancelled an order with open money", id);
}

/** One customer from the order to the end of its loans. */
export async function liveAsCustomer(world: World, number: number, random: Random): Promise<void> {
  const order = await place(world, number, random);
  let loans = 0;
  const tale: Tale = {
    world,
    order,
    random,
    lend(changes = {}, of) {
      loans += 1;
      const terms = {
        orderId: order.id,
        amount: dollars(order.total).toFixed(2),
        asset: "UsdcPol",
        status: "Requested",
        ...changes,
      };
      return world.provider.lend(`loan-${number}-${loans}`, terms, of);
    },
    other: () => world.orders[random.below(world.orders.length)]?.id ?? randomUUID(),
  };
  if (random.chance(0.3)) world.outside.subscribe(world.shop.url, order);
  await pause(random.between(0, 500));
  const chosen = Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 2, 3]) }, () =>
    chooseStory(random),
  );
  world.note(`order ${order.id.slice(0, 8)}: ${chosen.map(({ name }) => name).join(", ")}`);
  const parallel = random.chance(0.3);
  const telling: Promise<void>[] = [];
  for (const { tell } of chosen) {
    const report = tell(tale);
    telling.push(report);
    if (random.chance(0.3))
      world.outside.subscribe(world.shop.url, order, `loan-${number}-${loans}`);
    if (!parallel) await report;
  }
  if (random.chance(0.25)) await cancel(world, order);
  // A cheat presents a loan of another order.
  if (random.chance(0.1)) {
    const loan = world.provider.loans[random.below(world.provider.loans.length)];
    world.outside.subscribe(world.shop.url, { id: order.id }, loan?.id);
  }
  await Promise.all(telling);
  if (!random.chance(0.25)) return;
  // The shop knows of all payouts now.
  await world.provider.swept();
  await cancel(world, order);
}
