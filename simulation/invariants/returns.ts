import { canMoveReturn, holdsPieces, isOpenReturn, isReturnState } from "@keepsats/domain";
import type { CommittedReturn, State } from "../committed-state.ts";
import type { World } from "../world.ts";

/** @param before the data that was checked last */
export function checkReturns(world: World, state: State, before: State): void {
  const known = new Map(before.returns.map((one) => [one.id, one.state]));
  for (const one of state.returns) {
    checkRefund(world, one, state);
    if (!world.seesEachCommit) continue;
    const from = known.get(one.id);
    const isFirst = from === undefined && (one.state === "requested" || one.state === "accepted");
    const isAllowed =
      from === undefined
        ? isFirst
        : from === one.state || (isReturnState(one.state) && canMoveReturn(from, one.state));
    if (!isAllowed) world.fail("return-moved-wrongly", `${one.id}: ${from} became ${one.state}`);
  }
  for (const [orderId, returns] of Map.groupBy(state.returns, ({ order_id }) => order_id))
    checkOrder(world, orderId, returns, state);
}

/** A return is refunded by one granted refund, and no other state has one. */
function checkRefund(
  world: World,
  { id, state, refund_id: refundId }: CommittedReturn,
  all: State,
): void {
  const refunds = all.entries.filter(
    ({ kind, refund_id }) => kind === "refunded" && refund_id === refundId,
  );
  const isRefunded = refunds.length === 1 && refunds[0]?.grant_kind === "return";
  if (state === "refunded" ? !isRefunded : refundId !== null)
    world.fail("return-without-refund", `${id} is ${state} with the refund ${refundId}`);
}

/**
 * No piece is returned or refunded twice, one request waits at most, and no order with an open return
 * is erased.
 */
function checkOrder(
  world: World,
  orderId: string,
  returns: readonly CommittedReturn[],
  { orders, lines, refundLines }: State,
): void {
  const events = orders.get(orderId)?.events ?? [];
  if (!events.some(({ to_status }) => to_status === "Shipped"))
    world.fail("return-before-shipping", `order ${orderId} has a return and has not shipped`);
  if (returns.filter(({ state }) => state === "requested").length > 1)
    world.fail("requested-twice", `two returns of order ${orderId} are requested`);
  const isOpen = returns.some(({ state }) => isOpenReturn(state));
  if (isOpen && events.some(({ kind }) => kind === "erased"))
    world.fail("erased-with-return", `order ${orderId} is erased, and has an open return`);
  const standing = returns.filter(holdsPieces);
  const unrefunded = standing.filter(({ refund_id }) => refund_id === null);
  for (const line of lines.filter(({ order_id }) => order_id === orderId)) {
    const refunded = refundLines
      .filter(({ order_id, position }) => order_id === orderId && position === line.position)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const returned = piecesIn(standing, line.item_id);
    const gone = refunded + piecesIn(unrefunded, line.item_id);
    if (Math.max(returned, gone) > line.quantity)
      world.fail(
        "returned-too-much",
        `order ${orderId}: ${returned} returned and ${gone} gone of ${line.quantity} ${line.item_id}`,
      );
  }
}

function piecesIn(returns: readonly CommittedReturn[], itemId: string): number {
  return returns
    .flatMap(({ lines }) => lines)
    .reduce((sum, { item_id, quantity }) => (item_id === itemId ? sum + quantity : sum), 0);
}
