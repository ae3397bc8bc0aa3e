/** Invariants of the shop's output: emails, webhooks, live messages, figures and stock. */
import { balanceOf, currenciesOf, sumsOf } from "../../simulation/balance.ts";
import { inCents, type Order } from "../harness/money-answers.ts";
import { type Entry, entriesOf, type Shown } from "./account.ts";
import { soldItems } from "./customers.ts";
import { SHOP } from "./payout.ts";
import { MERCHANT_ADDRESS } from "./shop.ts";
import type { World } from "./world.ts";

/** The pieces of each sold item at the start. */
export const STOCK = 100_000;

export async function checkOutside(world: World, shown: Shown): Promise<void> {
  const sums = new Map(
    [...shown.orders.values()].map((order) => [order.id, sumsOfOrder(order)] as const),
  );
  checkEmails(world, shown, sums);
  checkWebhooks(world, sums);
  checkLive(world, shown, sums);
  await checkToday(world, shown);
  await checkBooks(world, shown);
  await checkStock(world, shown);
}

/** The sums that the shop may say of an order. */
interface Sayable {
  readonly sums: ReadonlySet<number>;
  /** What it may say to the merchant of one of several loans: a part of the money. */
  readonly mostOfLoan: number;
}
type Sums = ReadonlyMap<string, Sayable>;

function sumsOfOrder({ ledger, total_price, items }: Order): Sayable {
  const entries = entriesOf(ledger);
  const ever = sumsEver(entries, total_price);
  const sums = new Set([
    ...ever,
    ...items.flatMap(({ price, quantity }) => [price, price * quantity]),
    // The limit above which an overpayment is to be checked.
    2 * total_price + 10_000,
  ]);
  const loans = new Set(entries.flatMap(({ loanId }) => loanId ?? []));
  return { sums, mostOfLoan: loans.size > 1 ? Math.max(...ever) : 0 };
}

/**
 * Every sum of money that a journal has had, in cents: each entry, and each balance after each
 * entry, of all loans and of each.
 */
function sumsEver(entries: readonly Entry[], total: number): ReadonlySet<number> {
  const sums = new Set<number>([0, total]);
  const loans = new Set(entries.map(({ loanId }) => loanId));
  const parts = [entries, ...[...loans].map((id) => entries.filter((one) => one.loanId === id))];
  for (const currency of currenciesOf(entries)) {
    for (const some of parts.flatMap((all) => all.map((_, last) => all.slice(0, last + 1)))) {
      const order = { status: "Pending", total };
      const before = sumsOf({ order, entries: some }, currency);
      for (const status of ["Pending", "PaymentProcessed", "Cancelled"])
        for (const amount of Object.values(balanceOf(before, { status, total }, currency)))
          sums.add(amount);
      for (const amount of Object.values(before)) sums.add(amount);
      const net = before.received - before.refunded;
      for (const amount of [net, total - net, net - total, total - before.waived]) sums.add(amount);
    }
  }
  for (const { amount } of entries) sums.add(Math.abs(amount));
  return sums;
}

function isSayable(dollars: unknown, sayable: Sayable | undefined, isOfLoan = false): boolean {
  const amount = Math.round(Number(dollars) * 100);
  const most = isOfLoan ? (sayable?.mostOfLoan ?? 0) : 0;
  return sayable === undefined || sayable.sums.has(amount) || amount < most;
}

function checkEmails(world: World, { orders }: Shown, sums: Sums): void {
  const byCustomer = new Map(world.orders.map(({ email, id }) => [email, id]));
  const byNumber = new Map([...orders.values()].map(({ id, number }) => [number, id]));
  for (const { to, subject, text } of world.outside.emails) {
    const words = `${subject}\n${text}`;
    const named = [...words.matchAll(/\bK-\d+\b/g)].flatMap(
      ([number]) => byNumber.get(number) ?? [],
    );
    const id = byCustomer.get(to) ?? (to === MERCHANT_ADDRESS ? named[0] : undefined);
    const known = id === undefined ? undefined : sums.get(id);
    if (id === undefined || known === undefined) continue;
    for (const [said, amount = ""] of words.matchAll(/\$\s?([\d,]+\.\d\d)/g))
      if (!isSayable(amount.replaceAll(",", ""), known, to === MERCHANT_ADDRESS))
        world.fail("email-says-another-sum", `"${subject}" to ${to} says ${said}`, id);
    const forgets = subject.includes("cancelled") && text.includes("nothing for you to pay");
    const entries = orders.get(id)?.ledger.entries ?? [];
    const isStill = entries.every(({ kind }) => kind === "received" || kind === "transferred");
    if (forgets && isStill && world.cancelledWithMoney.has(id))
      world.fail("email-forgets-money", `"${subject}" to ${to}`, id);
  }
}

const moneyFields = ["amount", "open_amount", "refund_due"];

function checkWebhooks(world: World, sums: Sums): void {
  const messages = world.outside.webhooks();
  for (const { type, data } of messages) {
    const id = String(data.order_id);
    for (const name of moneyFields) {
      const value = data[name];
      if (typeof value === "number" && !isSayable(value, sums.get(id), name === "open_amount"))
        world.fail("webhook-says-another-sum", `${type}: ${name} ${value}`, id);
    }
  }
  for (const { type, id, account } of lostMessages(world))
    world.fail("webhook-lost-or-doubled", `${type} of ${id}`, account);
}

/** The messages about refunds and returns that have not come exactly once, as they should be. */
export function lostMessages(world: World) {
  return [...lostRefundMessages(world), ...lostReturnMessages(world)];
}

function lostReturnMessages({ outside, returnSteps }: World) {
  const messages = outside.webhooks();
  return returnSteps.flatMap(({ orderId: account, returnId: id, state }) => {
    const type = `return.${state}`;
    const found = messages.filter((one) => one.type === type && one.data.return_id === id);
    // A refund has a message of its own.
    return state === "refunded" || found.length === 1 ? [] : [{ type, id, account }];
  });
}

function lostRefundMessages(world: World) {
  const messages = world.outside.webhooks();
  const orders = new Set(world.orders.map(({ id }) => id));
  return [...world.refunds.values()].flatMap(({ id, account, amount, granted, isReversed }) => {
    const types = isReversed ? ["order.refunded", "order.refund_reversed"] : ["order.refunded"];
    const isLost = (type: string) => {
      const [found, ...more] = messages.filter(
        (one) => one.type === type && one.data.refund_id === id,
      );
      const { amount: said, grant } = found?.data ?? {};
      const isWhy = type !== "order.refunded" || grant === granted?.grant;
      return Math.round(Number(said) * 100) !== amount || !isWhy || more.length > 0;
    };
    return orders.has(account) ? types.filter(isLost).map((type) => ({ type, id, account })) : [];
  });
}

function checkLive(world: World, { orders }: Shown, sums: Sums): void {
  const wrong = new Set<string>();
  for (const { orderId, data } of world.outside.live) {
    const { total_price, refunded } = data;
    const isTotal = Math.round(Number(total_price) * 100) === orders.get(orderId)?.total_price;
    if (isTotal && (refunded === undefined || isSayable(refunded, sums.get(orderId)))) continue;
    const detail = `total ${total_price}, refunded ${refunded}`;
    if (!wrong.has(orderId + detail)) world.fail("live-says-another-sum", detail, orderId);
    wrong.add(orderId + detail);
  }
}

/** The figure of refunds due is the sum over all orders and all money without an order. */
async function checkToday(world: World, { orders, strays }: Shown): Promise<void> {
  const ledgers = [...[...orders.values()].map(({ ledger }) => ledger), ...strays.values()];
  const isDue = ({ refund_due }: { readonly refund_due: number }) => refund_due > 0;
  const due = ledgers.filter((one) => isDue(one) || one.other_currencies.some(isDue)).length;
  const expected = { orders: due, amount: ledgers.reduce((all, one) => all + one.refund_due, 0) };
  const { body } = await world.shop.staff("GET", "today");
  const shown = inCents.today.parse(body).refunds_due;
  if (shown.amount !== expected.amount || shown.orders !== expected.orders)
    world.fail("figures-are-no-sum", `${JSON.stringify(shown)} is ${JSON.stringify(expected)}`);
}

/** The sums of the books are those of all journals, to the cent, and so is what is due. */
async function checkBooks(world: World, { orders, strays }: Shown): Promise<void> {
  const ledgers = [...[...orders.values()].map(({ ledger }) => ledger), ...strays.values()];
  const { body } = await world.shop.staff("GET", "journal/summary");
  for (const { currency, closing, sums } of inCents.books.parse(body).currencies) {
    const own = ledgers.flatMap((ledger) =>
      [{ currency: SHOP, ...ledger }, ...ledger.other_currencies].filter(
        (one) => one.currency === currency,
      ),
    );
    const held = own.reduce((sum, { received, refunded }) => sum + received - refunded, 0);
    const due = own.reduce((sum, { refund_due }) => sum + refund_due, 0);
    if (closing.held !== held || closing.refund_due !== due)
      world.fail(
        "books-are-no-sum",
        `${JSON.stringify(closing)} is ${held} and ${due} ${currency}`,
      );
    const entries = ledgers.flatMap((ledger) => ledger.entries);
    const count = entries.filter((entry) => entry.currency === currency).length;
    const counted = sums.reduce((all, one) => all + one.entries, 0);
    if (counted !== count) world.fail("books-are-no-sum", `${counted} entries, not ${count}`);
  }
}

async function checkStock(world: World, { orders }: Shown): Promise<void> {
  const { body } = await world.shop.staff("GET", "items");
  const { items } = inCents.items.parse(body);
  for (const id of soldItems) {
    const left = items.find((item) => item.id === id)?.stock;
    const sold = [...orders.values()]
      // A cancelled order has returned all its pieces, once.
      .filter(({ status }) => status !== "Cancelled")
      .flatMap(({ items, refund_lines }) => [
        ...items.filter((item) => item.id === id).map(({ quantity }) => quantity),
        ...refund_lines.filter(({ item_id }) => item_id === id).map((line) => -line.restocked),
      ])
      .reduce((all, quantity) => all + quantity, 0);
    if (left !== STOCK - sold)
      world.fail("stock-not-conserved", `${id}: ${left} of ${STOCK}, ${sold} sold`);
  }
}
