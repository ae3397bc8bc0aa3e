/** Invariants of granted refunds and of returns. */
import { recount } from "../../simulation/balance.ts";
import type { Account, Broken } from "./account.ts";
import { SHOP } from "./payout.ts";
import { isOpen } from "./returns.ts";

/**
 * A granted refund is two entries that say so, and no other entry does. It is of a paid order, of
 * which nothing else is due, and at most the part of the price that the shop has.
 */
export function* grants({ order, entries, refunds }: Account): Broken {
  for (const { id, amount, granted } of refunds) {
    const own = entries.filter((entry) => entry.refundId === id && entry.grant !== null);
    const kinds = own.map(({ kind }) => kind).join();
    const isWhole = own.every((one) => one.amount === amount && one.grant === granted?.grant);
    if (kinds !== (granted === undefined ? "" : "waived,refunded") || !isWhole)
      yield ["grant-is-not-itself", `refund ${id} of ${amount} has ${kinds}`];
  }
  const known = new Set(refunds.map(({ id }) => id));
  const total = order?.total_price ?? 0;
  for (const [index, { kind, amount, grant, refundId }] of entries.entries()) {
    if (grant === null) continue;
    if (refundId === null || !known.has(refundId)) yield ["grant-unknown", `${kind} ${amount}`];
    if (kind !== "waived") continue;
    const before = entries.slice(0, index);
    const paid = { status: "PaymentProcessed", total };
    const { refundable, grantable } = recount({ order: paid, entries: before }, SHOP);
    if (amount > grantable) yield ["granted-too-much", `${amount} of ${grantable}`];
    if (refundable > 0) yield ["granted-before-due", `${amount}, and ${refundable} was due`];
    if (order?.events.every(({ to }) => to !== "PaymentProcessed"))
      yield ["granted-unpaid", `${amount}`];
  }
}

/** The states of returns whose pieces can be in another one. */
const freed = ["declined", "withdrawn"];
const ends = ["refunded", "completed", ...freed];

/** The lines of acknowledged grants are stored, and no piece is refunded or returned twice. */
export function* grantLines({ order, refunds }: Account): Broken {
  if (order === undefined) return;
  const { refund_lines, returns, items } = order;
  const granted = refunds.flatMap(({ id, granted }) =>
    (granted?.lines ?? []).map((line) => ({ id, ...line })),
  );
  for (const { id, item_id, quantity, restock } of granted) {
    const [found, ...more] = refund_lines.filter(
      (line) => line.refund_id === id && line.item_id === item_id,
    );
    if (found?.quantity !== quantity || found.restocked !== restock || more.length > 0)
      yield ["refund-line-lost", `${quantity} ${item_id}, ${restock} restocked, of refund ${id}`];
  }
  if (granted.length !== refund_lines.length)
    yield ["refund-line-unknown", `${refund_lines.length} lines, ${granted.length} acknowledged`];
  const unrefunded = returns
    .filter((one) => isOpen(one) || one.state === "completed")
    .flatMap(({ lines }) => lines);
  const standing = returns
    .filter(({ state }) => !freed.includes(state))
    .flatMap((one) => one.lines);
  for (const { id, quantity } of items) {
    const pieces = (lines: typeof standing) =>
      lines.reduce((sum, line) => (line.item_id === id ? sum + line.quantity : sum), 0);
    const counts = [pieces([...refund_lines, ...unrefunded]), pieces(standing)];
    if (Math.max(...counts) > quantity)
      yield ["pieces-twice", `${id}: ${counts.join(" and ")} of ${quantity}`];
  }
}

/** Acknowledged steps of returns are stored once, and a refunded return has its one refund. */
export function* returns({ order, refunds, returnSteps }: Account): Broken {
  if (order === undefined) return;
  for (const { id, state, refund_id } of order.returns) {
    const own = refunds.filter(({ granted }) => granted?.return_id === id);
    const expected = state === "refunded" ? refund_id : null;
    if (own.length > 1 || (own[0]?.id ?? null) !== expected || refund_id !== expected)
      yield ["return-without-refund", `${id} is ${state} with refund ${refund_id}`];
  }
  const wasShipped = order.events.some(({ to }) => to === "Shipped");
  if (order.returns.length > 0 && !wasShipped) yield ["returned-unshipped", order.status];
  if (order.returns.filter(({ state }) => state === "requested").length > 1)
    yield ["requested-twice", order.status];
  for (const { returnId, state } of returnSteps) {
    const found = order.returns.find(({ id }) => id === returnId);
    if (found === undefined || (ends.includes(state) && found.state !== state))
      yield ["return-lost", `${returnId} was ${state} and is ${found?.state}`];
  }
}
