import { isReturnState, type LinePieces, type ReturnState } from "@keepsats/domain";
import type { AdminOrder } from "@keepsats/protocol";

const states: Readonly<Record<ReturnState, string>> = {
  requested: "Return requested",
  accepted: "Return accepted",
  received: "Returned items received",
  refunded: "Return refunded",
  completed: "Return completed without a refund",
  declined: "Return declined",
  withdrawn: "Return request withdrawn",
};

/** The label of a return's state; the state itself if a newer server has sent it. */
export function returnLabel(state: string): string {
  return isReturnState(state) ? states[state] : state;
}

/** The pieces of a return, such as `2 × Moka pot, 1 × Cup`. */
export function piecesText(items: AdminOrder["items"], lines: readonly LinePieces[]): string {
  const nameOf = (itemId: string) => items.find(({ id }) => id === itemId)?.name ?? itemId;
  return lines.map(({ item_id, quantity }) => `${quantity} × ${nameOf(item_id)}`).join(", ");
}
