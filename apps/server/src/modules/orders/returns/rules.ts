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

/** Why no return can be opened. */
export type ReturnRefusal =
  | { readonly kind: "wrong-status"; readonly status: StoredStatus }
  | { readonly kind: "erased" }
  /** Customers cannot request returns, or no longer for this order. */
  | { readonly kind: "no-returns" | "period-over" }
  /** Staff have not decided about an earlier request. */
  | { readonly kind: "requested-already" }
  | { readonly kind: "wrong-lines"; readonly errors: readonly FieldError[] };

type OpeningDecision = { readonly kind: "opened" } | ReturnRefusal;

/** Staff open returns of shipped and delivered orders. */
export function openingByStaff(
  order: ReturnableOrder,
  lines: readonly LinePieces[],
): OpeningDecision {
  if (order.erased_at !== null) return { kind: "erased" };
  const { status } = order;
  if (!isPaidStatus(status) || awaitsShipping(status)) return { kind: "wrong-status", status };
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
): ReturnRefusal | undefined {
  if (erased_at !== null) return { kind: "erased" };
  if (status !== "Delivered") return { kind: "wrong-status", status };
  if (period.days === 0) return { kind: "no-returns" };
  if (deliveredAt === undefined || period.now >= endOf(deliveredAt, period))
    return { kind: "period-over" };
  return returns.some(({ state }) => state === "requested")
    ? { kind: "requested-already" }
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
  return errors.length === 0 ? { kind: "opened" } : { kind: "wrong-lines", errors };
}

export type ReturnMoveDecision =
  | { readonly kind: "moved" }
  /** It has another state than the caller expects, or one that permits no such change. */
  | { readonly kind: "state-changed" | "refused"; readonly state: string };

/** @param expected the state as last read; `undefined` for any */
export function returnMoveOf(
  { state }: Pick<OrderReturn, "state">,
  to: ReturnState,
  expected?: string,
): ReturnMoveDecision {
  if (expected !== undefined && expected !== state) return { kind: "state-changed", state };
  return canMoveReturn(state, to) ? { kind: "moved" } : { kind: "refused", state };
}

/** The lines that restock more pieces than a return has. */
export function restockErrors(
  { lines }: Pick<OrderReturn, "lines">,
  restock: readonly LinePieces[],
): readonly FieldError[] {
  return lineErrors(restock, lines, undefined, "restock");
}

export type WrongLines = Extract<ReturnRefusal, { kind: "wrong-lines" }>;
export type ReturnRefundDecision = ReturnMoveDecision | WrongLines;

/** A refund of a return is for pieces of it. */
export function returnRefundOf(
  orderReturn: Pick<OrderReturn, "state" | "lines">,
  lines: readonly LinePieces[],
): ReturnRefundDecision {
  const move = returnMoveOf(orderReturn, "refunded");
  if (move.kind !== "moved") return move;
  const errors = lineErrors(lines, orderReturn.lines);
  return errors.length === 0 ? move : { kind: "wrong-lines", errors };
}
