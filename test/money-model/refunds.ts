/** Refunds of money that is due, often at once, and refunds that did not arrive. */
import { randomUUID } from "node:crypto";
import type { Random } from "../../simulation/random.ts";
import type { Ledger } from "../harness/money-answers.ts";
import { dollars, SHOP } from "./payout.ts";
import type { Answer } from "./shop.ts";
import type { Grant, World } from "./world.ts";

/** Money that may be refunded. */
export interface Refundable {
  /** The id of its order, or of a loan without an order. */
  readonly account: string;
  /** The path of the order or of the payment issue. */
  readonly path: string;
  readonly issueId: string | undefined;
  readonly currency: string;
  readonly refundable: number;
  readonly refunded: number;
}

export interface RefundRequest extends Refundable {
  readonly amount: number;
  readonly key: string;
  /** Whether it is refused after another refund. */
  readonly isCareful: boolean;
  readonly granted?: Grant;
}

/** Records a refund, and remembers it once the shop has acknowledged it. */
export async function refund(world: World, request: RefundRequest): Promise<Answer> {
  const { account, path, issueId, currency, amount, refunded, key, isCareful, granted } = request;
  const body = {
    amount: dollars(amount),
    method: "bank transfer",
    // Without it: that of the issue's loan, or the shop's.
    ...(currency === SHOP && path.startsWith("orders") && issueId === undefined
      ? {}
      : { currency }),
    ...(issueId === undefined ? {} : { issue_id: issueId }),
    ...granted,
    ...(isCareful ? { expected_refunded: dollars(refunded) } : {}),
  };
  const answer = await world.shop.staff("POST", `${path}/refunds`, body, key);
  const why = granted === undefined ? "refund" : `grant for ${granted.grant}`;
  const what = `${why} ${currency === SHOP ? "dollars" : "another currency"} of ${path.split("/")[0]}`;
  world.answered(what, `${account}: ${amount}`, answer);
  const id = Reflect.get(Object(answer.body), "id");
  if (answer.status === 201 && typeof id === "string" && !world.refunds.has(id))
    world.refunds.set(id, { id, account, path, currency, amount, granted, isReversed: false });
  return answer;
}

/** Refunds money in one of several ways: whole, in part, twice at once, or by repeated requests. */
export async function refundSomehow(
  world: World,
  random: Random,
  money: Refundable,
): Promise<void> {
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
      const half = { amount: Math.max(1, Math.floor(refundable / 2)), isCareful: true };
      const both = [one, again].map((each) => refund(world, { ...each, ...half }));
      if ((await Promise.all(both)).every(({ status }) => status === 201))
        world.fail("refund-overtaken", `both saw ${money.refunded} refunded`, account);
    }
  }
}

/** What may be refunded of an account, in each currency. */
export function refundableOf(
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

/** Records that a refund did not arrive, sometimes twice at once. */
export async function reverse(world: World, random: Random, account: string): Promise<void> {
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
