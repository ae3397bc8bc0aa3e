/** Staff: they refund, decide about payment issues, ship, cancel and erase, often at once. */
import { setTimeout as pause } from "node:timers/promises";
import { isAwaiting, isPaid } from "../../simulation/balance.ts";
import type { Random } from "../../simulation/random.ts";
import type { Issue, Order } from "../harness/money-answers.ts";
import { hasOpenMoney } from "./customers.ts";
import { grantSomehow } from "./grants.ts";
import { refundableOf, refundSomehow, reverse } from "./refunds.ts";
import { hasOpenReturn, treatReturns } from "./returns.ts";
import type { World } from "./world.ts";

async function decide(world: World, random: Random, issue: Issue): Promise<void> {
  const path = `payment-issues/${issue.id}`;
  if (issue.resolution !== null) {
    if (!random.chance(0.3)) return;
    const answer = await world.shop.staff("POST", `${path}/reopening`, { note: "A mistake." });
    world.answered("reopen", issue.id, answer);
    if (answer.status === 200) world.decided.add(issue.id);
    return;
  }
  const kind = random.pick(["accepted", "accepted", "refunded", "dismissed", "written-off"]);
  const answer = await world.shop.staff("POST", `${path}/resolution`, { kind, note: "Decided." });
  world.answered(`resolve ${issue.kind} as ${kind}`, issue.id, answer);
  const isRepeated = answer.tries > 1 && answer.status === 409;
  if (answer.status === 200 || isRepeated) world.decided.add(issue.id);
}

async function move(world: World, order: Order, to: string): Promise<void> {
  const body = to === "Shipped" ? { to, despite_issue: true } : { to };
  const answer = await world.shop.staff("POST", `orders/${order.id}/transitions`, body);
  world.answered(`move to ${to}`, order.id, answer);
  if (to === "Shipped" && answer.status === 200) world.shipped.push(order.id);
  const isDone = answer.status === 200 && order.status !== "Cancelled";
  if (to === "Cancelled" && isDone && hasOpenMoney(order)) world.cancelledWithMoney.add(order.id);
}

const hasRestocked = ({ refund_lines }: Order) => refund_lines.some((line) => line.restocked > 0);

async function erase(world: World, order: Order): Promise<void> {
  const answer = await world.shop.staff("POST", `orders/${order.id}/erasure`, {});
  world.answered("erase", order.id, answer);
  if (answer.status !== 200 || !(hasOpenMoney(order) || hasOpenReturn(order))) return;
  const after = await world.shop.order(order.id);
  if (hasOpenMoney(order) && hasOpenMoney(after))
    world.fail("erased-with-money", "an order with open money was erased", order.id);
  if (hasOpenReturn(order) && hasOpenReturn(after))
    world.fail("erased-with-return", "an order with an open return was erased", order.id);
}

async function treatOrder(world: World, random: Random, id: string): Promise<void> {
  const order = await world.shop.order(id);
  if (isAwaiting(order.status) && hasOpenMoney(order)) world.seenWithMoney.add(id);
  const issues = order.payment_issues;
  const issue = issues[random.below(issues.length)];
  const issueId = random.chance(0.5) ? issue?.id : undefined;
  const money = refundableOf(order.ledger, { account: id, path: `orders/${id}`, issueId });
  const one = money[random.below(money.length)];
  if (one !== undefined && random.chance(0.6)) return refundSomehow(world, random, one);
  if (issue !== undefined && random.chance(0.6)) return decide(world, random, issue);
  // An order that is not paid is granted nothing.
  if (random.chance(isPaid(order.status) ? 0.3 : 0.05)) return grantSomehow(world, random, order);
  if (random.chance(0.3)) return reverse(world, random, id);
  switch (order.status) {
    case "PaymentProcessed":
      // A cancellation restocks the pieces that no refund has restocked.
      return move(
        world,
        order,
        random.chance(hasRestocked(order) ? 0.3 : 0.7) ? "Shipped" : "Cancelled",
      );
    case "Shipped":
      return move(world, order, "Delivered");
    case "Pending":
    case "PaymentProcessing":
      return random.chance(0.15) ? move(world, order, "Cancelled") : undefined;
    default:
      return random.chance(0.3) ? erase(world, order) : undefined;
  }
}

/** Delivers an order that was shipped, or takes it back. */
async function treatShipped(world: World, random: Random, id: string): Promise<void> {
  const order = await world.shop.order(id);
  if (order.status === "Shipped" && random.chance(0.4)) return move(world, order, "Delivered");
  if (random.chance(0.2)) return grantSomehow(world, random, order);
  return treatReturns(world, random, order);
}

/** Treats a payment issue of money without an order. */
async function treatStray(world: World, random: Random, id: string): Promise<void> {
  const issue = await world.shop.issue(id);
  const of = { account: issue.loan_id, path: `payment-issues/${id}`, issueId: undefined };
  const money = refundableOf(issue.ledger, of);
  const one = money[random.below(money.length)];
  if (one !== undefined && random.chance(0.5)) return refundSomehow(world, random, one);
  if (random.chance(0.2)) return reverse(world, random, issue.loan_id);
  return decide(world, random, issue);
}

/** One member of staff, until the day is over: takes care of payment issues, of shipped orders, and of any order. */
export async function workAsStaff(
  world: World,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(random.between(20, 300));
    const order = world.orders[random.below(world.orders.length)];
    if (order === undefined) continue;
    const sold = world.shipped[random.below(world.shipped.length)];
    if (sold !== undefined && random.chance(0.4)) {
      await treatShipped(world, random, sold);
      continue;
    }
    const issues = random.chance(0.5) ? await world.shop.issues() : [];
    const open = issues.filter(({ resolution }) => resolution === null);
    const issue = open[random.below(open.length)];
    if (issue?.order_id === null) await treatStray(world, random, issue.id);
    else await treatOrder(world, random, issue?.order_id ?? order.id);
  }
}
