import type { FieldError } from "./checkout-form.ts";
import { piecesText } from "./item.ts";

/**
 * All states of a return. Customers request one, and may withdraw the request; staff accept or
 * decline it, and open one as accepted. A received one is refunded, or completed without a refund.
 * To add a state, add it here: the compiler then reports every place that must handle it.
 */
export const returnStates = [
  "requested",
  "accepted",
  "received",
  "refunded",
  "completed",
  "declined",
  "withdrawn",
] as const;
export type ReturnState = (typeof returnStates)[number];

/** The default labels of the states; some screens have their own. */
export const returnStateLabels: Readonly<Record<ReturnState, string>> = {
  requested: "Return requested",
  accepted: "Return accepted",
  received: "Return arrived",
  refunded: "Return refunded",
  completed: "Return completed",
  declined: "Return declined",
  withdrawn: "Return request withdrawn",
};

/** The states that may follow each state. */
const nextStates: Readonly<Record<ReturnState, readonly ReturnState[]>> = {
  requested: ["accepted", "declined", "withdrawn"],
  accepted: ["received", "declined"],
  received: ["refunded", "completed", "declined"],
  refunded: [],
  completed: [],
  declined: [],
  withdrawn: [],
};

/** The states that staff set directly. A refund sets `refunded`, and the customer `withdrawn`. */
export const staffReturnStates = ["accepted", "received", "completed", "declined"] as const;
export type StaffReturnState = (typeof staffReturnStates)[number];

/** The states of returns that staff are not done with. */
export const openReturnStates: readonly ReturnState[] = returnStates.filter(
  (state) => nextStates[state].length > 0,
);

/** Whether a return may move from one state to another. False for a state of a newer version. */
export function canMoveReturn(from: string, to: ReturnState): boolean {
  return isReturnState(from) && nextStates[from].includes(to);
}

/** A state of a newer version counts as open. */
export function isOpenReturn(state: string): boolean {
  return !isReturnState(state) || openReturnStates.includes(state);
}

export function isReturnState(text: string): text is ReturnState {
  return (returnStates as readonly string[]).includes(text);
}

/** Pieces of an order's line. An order has one line for each item. */
export interface LinePieces {
  readonly item_id: string;
  readonly quantity: number;
}

/** The lines of a return with the names of their items, such as `2 × Moka pot`. */
export function linesText(
  items: readonly { readonly id: string; readonly name: string }[],
  lines: readonly LinePieces[],
  separator = ", ",
): string {
  return lines
    .map(({ item_id, quantity }) => {
      const name = items.find(({ id }) => id === item_id)?.name ?? item_id;
      return piecesText({ quantity, name });
    })
    .join(separator);
}

/** A return, as far as it concerns the pieces that it holds. */
interface HeldReturn {
  readonly state: string;
  /** `null` until it is refunded. */
  readonly refund_id: string | null;
  readonly lines: readonly LinePieces[];
}

/** Whether a return reserves its pieces, so that no other return can have them. */
export function holdsPieces({ state }: Pick<HeldReturn, "state">): boolean {
  return state !== "declined" && state !== "withdrawn";
}

/**
 * The pieces of returns that are not refunded yet. Only the refund of their own return can have
 * them.
 */
export function piecesOfReturns(returns: readonly HeldReturn[]): LinePieces[] {
  return returns
    .filter((one) => holdsPieces(one) && one.refund_id === null)
    .flatMap(({ lines }) => lines);
}

/**
 * The pieces of an order that a new return can have: those that are in no other return, unless it
 * was declined or withdrawn, and in no refund. Lines without such pieces are left out.
 *
 * @param refunded the lines of its granted refunds
 */
export function returnablePieces(
  items: readonly { readonly id: string; readonly quantity: number }[],
  returns: readonly HeldReturn[],
  refunded: readonly (LinePieces & { readonly refund_id: string })[],
): LinePieces[] {
  // The refund of a return has the pieces of that return, which count once.
  const ofReturns = new Set(returns.map(({ refund_id }) => refund_id));
  const taken = [
    ...returns.filter(holdsPieces).flatMap(({ lines }) => lines),
    ...refunded.filter(({ refund_id }) => !ofReturns.has(refund_id)),
  ];
  return items
    .map((item) => ({ item_id: item.id, quantity: piecesLeft(item, taken) }))
    .filter(({ quantity }) => quantity > 0);
}

/** How many pieces of an order's line are left once others are taken. */
export function piecesLeft(
  { id, quantity }: { readonly id: string; readonly quantity: number },
  taken: readonly LinePieces[],
): number {
  const ofItem = taken.filter(({ item_id }) => item_id === id);
  return ofItem.reduce((left, pieces) => left - pieces.quantity, quantity);
}

/**
 * The chosen pieces, limited to those that are offered. Lines without a chosen piece are left out.
 */
export function chosenPieces(
  offered: readonly LinePieces[],
  chosen: ReadonlyMap<string, number>,
): LinePieces[] {
  return offered
    .map(({ item_id, quantity }) => ({
      item_id,
      quantity: Math.min(quantity, chosen.get(item_id) ?? 0),
    }))
    .filter(({ quantity }) => quantity > 0);
}

/**
 * The lines that ask for more pieces than are left.
 *
 * @param isOrdered whether the order has the item
 * @param field the name of the lines in the request
 */
export function lineErrors(
  lines: readonly LinePieces[],
  left: readonly LinePieces[],
  isOrdered: (itemId: string) => boolean = () => true,
  field = "lines",
): FieldError[] {
  return lines.flatMap(({ item_id, quantity }, index) => {
    if (!isOrdered(item_id))
      return [{ path: `${field}.${index}.item_id`, message: "is not an item of this order" }];
    const most = left.find((pieces) => pieces.item_id === item_id)?.quantity ?? 0;
    if (quantity <= most) return [];
    return [{ path: `${field}.${index}.quantity`, message: `must be at most ${most}` }];
  });
}
