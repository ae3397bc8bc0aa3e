/** Staff: they refund, decide about payment issues, ship, cancel and erase, often at once. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../simulation/random.ts";
import { isAwaiting } from "./balance.ts";
import { hasOpenMoney } from "./customers.ts";
import { SHOP } from "./payout.ts";
import type { Answer } from "./shop.ts";
import { dollars, type Issue, type Ledger, type Order } from "./wire.ts";
import type { World } from "./world.ts";

/** Money that may be refunded. */
interface Refundable {
  /** The id of its order, or of a loan without an order. */
  readonly account: string;
  /** The path of the order or of the payment issue. */
  readonly path: string;
  readonly issueId: string | undefined;
  readonly currency: string;
  readonly refundable: number;
  readonly refunded: number;
}

interface RefundRequest extends Refundable {
  readonly amount: number;
  readonly key: string;
  /** Whether it is refused after another refund. */
  readonly isCareful: boolean;
}

async function refund(world: World, request: RefundRequest): Promise<Answer> {
  const { account, path, issueId, currency, amount, refunded, key, isCareful } = request;
  const body = {
    amount: dollars(amount),
    method: "bank transfer",
    // Without it: that of the issue's loan, or the shop's.
    ...(currency === SHOP && path.startsWith("orders") && issueId === undefined
      ? {}
      : { currency }),
    ...(issueId === undefined ? {} : { issue_id: issueId }),
    ...(isCareful ? { expected_refunded: dollars(refunded) } : {}),
  };
  const answer = await world.shop.staff("POST", `${path}/refunds`, body, key);
  const what = `refund ${currency === SHOP ? "dollars" : "another currency"} of ${path.split("/")[0]}`;
  world.answered(what, `${account}: ${amount}`, answer);
  const id = Reflect.get(Object(answer.body), "id");
  if (answer.status === 201 && typeof id === "string" && !world.refunds.has(id))
    world.refunds.set(id, { id, account, path, currency, amount, isReversed: false });
  return answer;
}

/** Refunds money in one of several ways: whole, in part, twice at once, or by repeated requests. */
async function refundSomehow(world: World, random: Random, money: Refundable): Promise<void> {
  const { account, refundable } = money;
  const amount = random.chance(0.4) ? random.between(1, refundable) : refundable;
  const one = { ...money, amount, key: randomUUID(), isCareful: random.chance(0.4) };
  const again = { ...one, key: randomUUID() };
  switch (random.pick(["once", "once", "twice at once", "repeated", "too much"])) {
    case "once":
      await refund(world, one);
      return;
    case "too much": {
      // With a payment issue, staff could say that its unknown amount was so high.
      const most = { ...one, amount: refundable + 1_000_000, issueId: undefined };
      const { status } = await refund(world, most);
      if (status === 201) world.fail("refunded-too-much", "a million", account);
      return;
    }
    case "repeated": {
      const answers = [await refund(world, one), await refund(world, one)];
      const [first, second] = answers.map(({ body }) => Reflect.get(Object(body), "id"));
      if (answers[0]?.status === 201 && first !== second)
        world.fail("refund-doubled", `one key, refunds ${first} and ${second}`, account);
      return;
    }
    case "twice at once": {
      // There is enough for both.
      const half = { amount: Math.ceil(refundable / 2), isCareful: true };
      const both = [one, again].map((each) => refund(world, { ...each, ...half }));
      if ((await Promise.all(both)).every(({ status }) => status === 201))
        world.fail("refund-overtaken", `both saw ${money.refunded} refunded`, account);
    }
  }
}

/** What may be refunded of an account, in each currency. */
function refundableOf(
  ledger: Ledger,
  of: Pick<Refundable, "account" | "path" | "issueId">,
): Refundable[] {
  const { refundable, refunded, unknown_amounts } = ledger;
  // A refund for the payment issue of an unknown amount says how much it was.
  const guessed = unknown_amounts > 0 && of.issueId !== undefined ? 500 : 0;
  const own = { currency: SHOP, refundable: refundable === 0 ? guessed : refundable, refunded };
  return [own, ...ledger.other_currencies].flatMap((one) =>
    one.refundable > 0 ? [{ ...of, ...one }] : [],
  );
}

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

async function reverse(world: World, random: Random, account: string): Promise<void> {
  const own = [...world.refunds.values()].filter((refund) => refund.account === account);
  const refund = own[random.below(own.length)];
  if (refund === undefined) return;
  const path = `${refund.path}/refunds/${refund.id}/reversal`;
  const send = () => world.shop.staff("POST", path, { reason: "It came back." });
  const answers = await Promise.all(random.chance(0.3) ? [send(), send()] : [send()]);
  for (const answer of answers)
    world.answered("reverse a refund", `${account} ${refund.id}`, answer);
  const done = answers.filter(({ status }) => status < 300);
  if (done.length > 1 || (refund.isReversed && done.length > 0))
    world.fail("refund-reversed-twice", refund.id, account);
  refund.isReversed ||= answers.some(
    ({ status, tries }) => status < 300 || (tries > 1 && status === 409),
  );
}

async function move(world: World, order: Order, to: string): Promise<void> {
  const body = to === "Shipped" ? { to, despite_issue: true } : { to };
  const answer = await world.shop.staff("POST", `orders/${order.id}/transitions`, body);
  world.answered(`move to ${to}`, order.id, answer);
  const isDone = answer.status === 200 && order.status !== "Cancelled";
  if (to === "Cancelled" && isDone && hasOpenMoney(order)) world.cancelledWithMoney.add(order.id);
}

async function erase(world: World, order: Order): Promise<void> {
  const answer = await world.shop.staff("POST", `orders/${order.id}/erasure`, {});
  world.answered("erase", order.id, answer);
  if (answer.status !== 200 || !hasOpenMoney(order)) return;
  if (hasOpenMoney(await world.shop.order(order.id)))
    world.fail("erased-with-money", "an order with open money was erased", order.id);
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
  if (random.chance(0.3)) return reverse(world, random, id);
  switch (order.status) {
    case "PaymentProcessed":
      return move(world, order, random.pick(["Shipped", "Shipped", "Cancelled"]));
    case "Shipped":
      return move(world, order, "Delivered");
    case "Pending":
    case "PaymentProcessing":
      return random.chance(0.15) ? move(world, order, "Cancelled") : undefined;
    default:
      return random.chance(0.3) ? erase(world, order) : undefined;
  }
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

/** One member of staff, until the day is over: takes care of payment issues, and of any order. */
export async function workAsStaff(
  world: World,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(random.between(20, 300));
    const order = world.orders[random.below(world.orders.length)];
    if (order === undefined) continue;
    const issues = random.chance(0.5) ? await world.shop.issues() : [];
    const open = issues.filter(({ resolution }) => resolution === null);
    const issue = open[random.below(open.length)];
    if (issue?.order_id === null) await treatStray(world, random, issue.id);
    else await treatOrder(world, random, issue?.order_id ?? order.id);
  }
}
