import { canMoveReturn, holdsPieces, isOpenReturn, isReturnState } from "@keepsats/domain";
import type { CommittedReturn, State } from "./committed-state.ts";
import type { World } from "./world.ts";

/** @param before the states of the returns in the last state, by id; is brought up to date */
export function checkReturns(world: World, state: State, before: Map<string, string>): void {
  for (const one of state.returns) {
    const from = before.get(one.id);
    const isFirst = from === undefined && (one.state === "requested" || one.state === "accepted");
    const isAllowed =
      from === undefined
        ? isFirst
        : from === one.state || (isReturnState(one.state) && canMoveReturn(from, one.state));
    if (!isAllowed) world.fail("return-moved-wrongly", `${one.id}: ${from} became ${one.state}`);
    before.set(one.id, one.state);
    checkRefund(world, one, state);
  }
  for (const [orderId, returns] of Map.groupBy(state.returns, (one) => one.orderId))
    checkOrder(world, orderId, returns, state);
}

/** A return is refunded by one granted refund, and no other state has one. */
function checkRefund(world: World, { id, state, refundId }: CommittedReturn, all: State): void {
  const refunds = all.entries.filter(
    (entry) => entry.kind === "refunded" && entry.refundId === refundId,
  );
  const isRefunded = refunds.length === 1 && refunds[0]?.grant === "return";
  if (state === "refunded" ? !isRefunded : refundId !== null)
    world.fail("return-without-refund", `${id} is ${state} with the refund ${refundId}`);
}

/** No piece is in two returns, one request waits at most, and no order with an open one is erased. */
function checkOrder(
  world: World,
  orderId: string,
  returns: readonly CommittedReturn[],
  { orders, lines }: State,
): void {
  const events = orders.get(orderId)?.events ?? [];
  if (!events.some(({ to }) => to === "Shipped"))
    world.fail("return-before-shipping", `order ${orderId} has a return and has not shipped`);
  if (returns.filter(({ state }) => state === "requested").length > 1)
    world.fail("requested-twice", `two returns of order ${orderId} are requested`);
  const isOpen = returns.some(({ state }) => isOpenReturn(state));
  if (isOpen && events.some(({ kind }) => kind === "erased"))
    world.fail("erased-with-return", `order ${orderId} is erased, and has an open return`);
  const standing = returns.filter(holdsPieces);
  const pieces = standing.flatMap((one) => one.lines);
  for (const { itemId, quantity } of lines.filter((line) => line.orderId === orderId)) {
    const returned = pieces
      .filter(({ item_id }) => item_id === itemId)
      .reduce((sum, line) => sum + line.quantity, 0);
    if (returned > quantity)
      world.fail("returned-too-much", `${returned} of ${quantity} ${itemId} of order ${orderId}`);
  }
}
