import { canMove, isOrderStatus, type StaffStatus } from "@keepsats/domain";
import { type OrderMove, shipWarnings } from "@keepsats/protocol";
import { openLoansText } from "../../lib/format.ts";
import { moveOrder, type OrderView } from "../../lib/queries.ts";
import type { Outcome } from "../../lib/use-bulk.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";

export interface Move extends OrderMove {
  readonly id: string;
  readonly to: StaffStatus;
}

interface MoveTexts {
  /** Such as "Ship 2 orders". */
  readonly action: (orders: string) => string;
  readonly submit: string;
  readonly waiting: string;
  /** As in "2 orders shipped" and "not shipped". */
  readonly done: string;
}

export const moveTexts: Readonly<Record<StaffStatus, MoveTexts>> = {
  Shipped: {
    action: (orders) => `Ship ${orders}`,
    submit: "Ship",
    waiting: "Shipping…",
    done: "shipped",
  },
  Delivered: {
    action: (orders) => `Mark ${orders} as delivered`,
    submit: "Mark as delivered",
    waiting: "Saving…",
    done: "delivered",
  },
  Cancelled: {
    action: (orders) => `Cancel ${orders}`,
    submit: "Cancel the orders",
    waiting: "Cancelling…",
    done: "cancelled",
  },
};

export function movable<Order extends { readonly status: string }>(
  orders: readonly Order[],
  to: StaffStatus,
): readonly Order[] {
  return orders.filter(({ status }) => isOrderStatus(status) && canMove(status, to));
}

/**
 * Moves an order, unless there is a warning that staff have not confirmed.
 *
 * @param earlier the outcome of the attempt before
 * @throws {ApiError}
 */
export async function attemptMove(
  move: Move,
  read: () => Promise<OrderView>,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { id, ...request } = move;
  const { warning, despite } = await warningOf(move, read);
  const text = `Not ${moveTexts[move.to].done} yet: ${warning}`;
  // Staff have confirmed only the warning that was shown.
  if (warning !== "" && earlier?.text !== text) return { kind: "unconfirmed", text };
  const { changed, open_loans = [] } = await moveOrder(id, { ...request, ...despite });
  if (!changed) return { kind: "overtaken", text: statusChangeText(await read(), Date.now()) };
  const note = openLoansText(open_loans);
  if (note === "") return { kind: "done", text: move.to };
  return { kind: "done", text: `${move.to}. ${note}`, hasNote: true };
}

/** The warning before an order ships, or an empty text; `despite` confirms it. */
async function warningOf({ to }: Move, read: () => Promise<OrderView>) {
  if (to !== "Shipped") return { warning: "", despite: {} };
  const { texts, hasIssue } = shipWarnings(await read());
  return { warning: texts.join(" "), despite: hasIssue ? { despite_issue: true } : {} };
}

/**
 * Distributes a pasted text of several lines over a column of fields, from the field that received
 * it downwards. Surplus lines are dropped.
 *
 * @param index of the field that received the text
 * @returns `undefined` for a single line, which the browser pastes
 */
export function pasteLines(
  values: readonly string[],
  index: number,
  text: string,
): readonly string[] | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  while (lines.at(-1) === "") lines.pop();
  if (lines.length < 2) return undefined;
  return values.map((value, at) => (at < index ? value : (lines[at - index] ?? value)));
}
