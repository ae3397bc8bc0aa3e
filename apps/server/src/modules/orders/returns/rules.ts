import {
  awaitsShipping,
  canMoveReturn,
  type FieldError,
  isPaidStatus,
  type LinePieces,
  lineErrors,
  type ReturnState,
  returnablePieces,
} from "@keepsats/domain";
import type { OrderReturn, ReturnOffer } from "@keepsats/protocol";
import { Refusal } from "../../../platform/refusal.ts";
import { DAY } from "../../../platform/scheduling/clock.ts";
import type { Order, StoredStatus } from "../order.ts";

/** An order with everything that decides about its returns. */
export interface ReturnableOrder extends Pick<Order, "id" | "status" | "items" | "erased_at"> {
  /** Epoch milliseconds; `undefined` unless it was delivered. */
  readonly deliveredAt: number | undefined;
  /** Oldest first. */
  readonly returns: readonly OrderReturn[];
  /** The lines of its granted refunds. */
  readonly refunded: readonly (LinePieces & { readonly refund_id: string })[];
}

/** When customers may request a return. */
export interface ReturnPeriod {
  /** The days of 24 hours after delivery; 0 for never. */
  readonly days: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

type OpeningDecision = { readonly kind: "opened" } | Refusal;

const notReturnable = (detail: string) => new Refusal("not_returnable", { detail });
const erased = notReturnable("The personal data of this order is erased.");
const wrongStatus = (status: StoredStatus) =>
  new Refusal("not_returnable", {
    detail: `An order that is ${status} cannot be returned.`,
    current_status: status,
  });

/** Staff open returns of shipped and delivered orders. */
export function openingByStaff(
  order: ReturnableOrder,
  lines: readonly LinePieces[],
): OpeningDecision {
  if (order.erased_at !== null) return erased;
  const { status } = order;
  if (!isPaidStatus(status) || awaitsShipping(status)) return wrongStatus(status);
  return linesDecision(order, lines);
}

/** Customers request returns of delivered orders within the return period, one at a time. */
export function openingByCustomer(
  order: ReturnableOrder,
  lines: readonly LinePieces[],
  period: ReturnPeriod,
): OpeningDecision {
  return customerRefusal(order, period) ?? linesDecision(order, lines);
}

/** @returns `undefined` if the customer can request none */
export function returnOfferOf(
  order: ReturnableOrder,
  period: ReturnPeriod,
): ReturnOffer | undefined {
  const { deliveredAt } = order;
  if (deliveredAt === undefined || customerRefusal(order, period) !== undefined) return undefined;
  const lines = piecesLeft(order);
  return lines.length === 0 ? undefined : { until: endOf(deliveredAt, period), lines };
}

function customerRefusal(
  { status, erased_at, deliveredAt, returns }: ReturnableOrder,
  period: ReturnPeriod,
): Refusal | undefined {
  if (erased_at !== null) return erased;
  if (status !== "Delivered") return wrongStatus(status);
  if (period.days === 0) return notReturnable("Returns cannot be requested on the order page.");
  if (deliveredAt === undefined || period.now >= endOf(deliveredAt, period))
    return notReturnable("The return period is over.");
  return returns.some(({ state }) => state === "requested")
    ? notReturnable("A return is requested already, and the shop has not answered yet.")
    : undefined;
}

function endOf(deliveredAt: number, { days }: ReturnPeriod): number {
  return deliveredAt + days * DAY;
}

function piecesLeft({ items, returns, refunded }: ReturnableOrder): LinePieces[] {
  return returnablePieces(items, returns, refunded);
}

function linesDecision(order: ReturnableOrder, lines: readonly LinePieces[]): OpeningDecision {
  const isOrdered = (itemId: string) => order.items.some(({ id }) => id === itemId);
  const errors = lineErrors(lines, piecesLeft(order), isOrdered);
  return errors.length === 0 ? { kind: "opened" } : new Refusal("invalid", { errors });
}

export type ReturnMoveDecision = { readonly kind: "moved" } | Refusal;

/** @param expected the state as last read; `undefined` for any */
export function returnMoveOf(
  { state }: Pick<OrderReturn, "state">,
  to: ReturnState,
  expected?: string,
): ReturnMoveDecision {
  const notChanged = (why: string) =>
    new Refusal("return_changed", { detail: `${why} Nothing was changed.` });
  if (expected !== undefined && expected !== state)
    return notChanged(`The return is ${state} by now.`);
  return canMoveReturn(state, to)
    ? { kind: "moved" }
    : notChanged(`A return that is ${state} cannot become ${to}.`);
}

/** The lines that restock more pieces than a return has. */
export function restockErrors(
  { lines }: Pick<OrderReturn, "lines">,
  restock: readonly LinePieces[],
): readonly FieldError[] {
  return lineErrors(restock, lines, undefined, "restock");
}

/** A refund of a return is for pieces of it. */
export function returnRefundOf(
  orderReturn: Pick<OrderReturn, "state" | "lines">,
  lines: readonly LinePieces[],
): ReturnMoveDecision {
  const move = returnMoveOf(orderReturn, "refunded");
  if (move.kind !== "moved") return move;
  const errors = lineErrors(lines, orderReturn.lines);
  return errors.length === 0 ? move : new Refusal("invalid", { errors });
}
