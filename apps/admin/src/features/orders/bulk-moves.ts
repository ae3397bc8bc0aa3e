import { canMove, isOrderStatus, type StaffStatus } from "@keepsats/domain";
import { type OrderMove, shipWarnings } from "@keepsats/protocol";
import type { Toast } from "@keepsats/ui/toasts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../lib/api.ts";
import { openLoansText } from "../../lib/format.ts";
import { moveOrder, type OrderView, orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { type Outcomes, useBulk } from "../../lib/use-bulk.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";

interface Move extends OrderMove {
  readonly id: string;
  readonly to: StaffStatus;
}

/**
 * `unconfirmed`: `text` has a warning that staff must confirm. `overtaken`: the order already had
 * the status; `text` names its author.
 */
export interface Outcome {
  readonly kind: "moved" | "unconfirmed" | "overtaken" | "failed";
  readonly text: string;
}

interface MoveTexts {
  /** Such as "Ship 2 orders". */
  readonly action: (orders: string) => string;
  readonly submit: string;
  readonly waiting: string;
  /** As in "2 shipped" and "not shipped". */
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

/** The orders that can still be moved: without an outcome, unconfirmed or failed. */
export function openIds(ids: readonly string[], outcomes: Outcomes<Outcome>): readonly string[] {
  const open: readonly Outcome["kind"][] = ["failed", "unconfirmed"];
  return ids.filter((id) => open.includes(outcomes.get(id)?.kind ?? "failed"));
}

/**
 * The number of moved orders, the reason for each other order, and notes.
 *
 * @param nameOf returns the name of an order, such as its number, by its id
 */
export function moveReport(
  to: StaffStatus,
  outcomes: Outcomes<Outcome>,
  nameOf: (id: string) => string,
): Toast {
  const moved = [...outcomes.values()].filter(({ kind }) => kind === "moved").length;
  // Without a note, the text of a moved order is its status.
  const shown = [...outcomes].filter(([, { text }]) => text !== to);
  const rest = outcomes.size - moved;
  const title = `${moved} ${moveTexts[to].done}`;
  return {
    kind: rest === 0 ? "success" : "error",
    title: rest === 0 ? title : `${title}, ${rest} not`,
    description: shown
      .map(([id, { text }]) => `${nameOf(id)}: ${text.replace(/\.$/, "")}.`)
      .join(" "),
  };
}

export function useBulkMoves(
  to: StaffStatus,
  nameOf: (id: string) => string,
  onAllDone: () => void,
) {
  const client = useQueryClient();
  const { role } = useSession().staff;
  return useBulk({
    noun: "order",
    change(move: Move, earlier: Outcome | undefined) {
      const query = orderQuery(move.id, role);
      return attemptMove(move, () => client.fetchQuery({ ...query, staleTime: 0 }), earlier);
    },
    report: (outcomes) => moveReport(to, outcomes, nameOf),
    onAllDone,
  });
}

/**
 * Moves an order, unless there is a warning that staff have not confirmed.
 *
 * @param earlier the outcome of the attempt before
 */
export async function attemptMove(
  move: Move,
  read: () => Promise<OrderView>,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { id, ...request } = move;
  const { done } = moveTexts[move.to];
  try {
    const { warning, despite } = await warningOf(move, read);
    const text = `Not ${done} yet: ${warning}`;
    // Staff have confirmed only the warning that was shown.
    if (warning !== "" && earlier?.text !== text) return { kind: "unconfirmed", text };
    const { changed, open_loans = [] } = await moveOrder(id, { ...request, ...despite });
    if (!changed) return { kind: "overtaken", text: statusChangeText(await read(), Date.now()) };
    const note = openLoansText(open_loans);
    return { kind: "moved", text: note === "" ? move.to : `${move.to}. ${note}` };
  } catch (error) {
    return { kind: "failed", text: `Not ${done}: ${errorText(error)}` };
  }
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
