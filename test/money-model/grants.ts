/** Refunds that staff grant although no money is due: amounts, pieces and whole orders. */
import { randomUUID } from "node:crypto";
import type { Random } from "../../simulation/random.ts";
import type { Order } from "../harness/money-answers.ts";
import { SHOP } from "./payout.ts";
import { type RefundRequest, refund } from "./refunds.ts";
import type { Grant, GrantedLine, World } from "./world.ts";

/** More than any order costs, in cents. */
const TOO_MUCH = 1_000_000;

/** A granted refund with the ledger as staff read it. */
export function grantOf(
  { id, ledger }: Order,
  amount: number,
  granted: Grant,
): RefundRequest & { readonly granted: Grant } {
  const { grantable: refundable, refunded } = ledger;
  const of = { account: id, path: `orders/${id}`, issueId: undefined, currency: SHOP };
  return { ...of, refundable, refunded, amount, key: randomUUID(), isCareful: false, granted };
}

/** Some of these pieces, and how many of them return to the stock. */
export function somePieces(
  random: Random,
  of: readonly { readonly item_id: string; readonly quantity: number }[],
): readonly [GrantedLine, ...GrantedLine[]] {
  const lines = of.map(({ item_id, quantity: most }) => {
    const quantity = random.between(1, most);
    return { item_id, quantity, restock: random.chance(0.5) ? random.between(0, quantity) : 0 };
  });
  const [first, ...more] = lines;
  if (first === undefined) throw new Error("an order without a line");
  return random.chance(0.5) ? [first] : [first, ...more];
}

/** The price of pieces, at most what may be granted. */
export function priceOf({ items, ledger }: Order, lines: readonly GrantedLine[]): number {
  const prices = new Map(items.map(({ id, price }) => [id, price]));
  const sum = lines.reduce((all, one) => all + (prices.get(one.item_id) ?? 0) * one.quantity, 0);
  return Math.max(1, Math.min(sum, ledger.grantable));
}

const ways = [
  "an amount",
  "an amount",
  "pieces",
  "pieces",
  "everything",
  "twice at once",
  "together too much",
  "repeated",
  "too much",
  "too many pieces",
] as const;

/** Grants a refund in one of several ways. An order that is not paid is granted nothing. */
export async function grantSomehow(world: World, random: Random, order: Order): Promise<void> {
  const { grantable } = order.ledger;
  if (grantable === 0 && random.chance(0.8)) return;
  const ordered = order.items.map(({ id: item_id, quantity }) => ({ item_id, quantity }));
  const grant = random.pick(["return", "goodwill"] as const);
  const some = grantOf(order, random.between(1, Math.max(1, grantable)), { grant });
  const fail = (rule: string, detail: string) => world.fail(rule, detail, order.id);
  const isRecorded = ({ status }: { readonly status: number }) => status === 201;
  switch (random.pick(ways)) {
    case "an amount":
      await refund(world, some);
      return;
    case "pieces": {
      const lines = somePieces(random, ordered);
      await refund(world, grantOf(order, priceOf(order, lines), { grant, lines }));
      return;
    }
    case "everything": {
      const lines = ordered.map((line) => ({ ...line, restock: line.quantity }));
      await refund(world, grantOf(order, Math.max(1, grantable), { grant, lines }));
      return;
    }
    case "twice at once": {
      const half = grantOf(order, Math.max(1, Math.floor(grantable / 2)), { grant });
      const both = [half, { ...half, key: randomUUID() }];
      const answers = both.map((one) => refund(world, { ...one, isCareful: true }));
      if ((await Promise.all(answers)).every(isRecorded))
        fail("grant-overtaken", `both saw ${half.refunded} refunded`);
      return;
    }
    case "together too much": {
      const lines = ordered.slice(0, 1).map((line) => ({ ...line, restock: line.quantity }));
      const whole = grantOf(order, Math.max(1, grantable), { grant, lines });
      const both = [whole, { ...whole, key: randomUUID() }];
      const answers = await Promise.all(both.map((one) => refund(world, one)));
      if (answers.every(isRecorded)) fail("pieces-granted-twice", `${whole.amount} twice`);
      return;
    }
    case "repeated": {
      const answers = [await refund(world, some), await refund(world, some)];
      const [first, second] = answers.map(({ body }) => Reflect.get(Object(body), "id"));
      if (first !== undefined && first !== second)
        fail("refund-doubled", `one key, refunds ${first} and ${second}`);
      const other = { ...some, amount: some.amount + 1 };
      if (first !== undefined && isRecorded(await refund(world, other)))
        fail("refund-doubled", `the key of refund ${first} was used for another amount`);
      return;
    }
    case "too much":
      if (isRecorded(await refund(world, { ...some, amount: grantable + TOO_MUCH })))
        fail("granted-too-much", `${TOO_MUCH} above ${grantable}`);
      return;
    case "too many pieces": {
      const lines = ordered.map((line) => ({ ...line, quantity: line.quantity + 1, restock: 0 }));
      if (isRecorded(await refund(world, { ...some, granted: { grant, lines } })))
        fail("granted-too-much", `one piece more than ordered, of ${lines.length} lines`);
    }
  }
}
