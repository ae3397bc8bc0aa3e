import { call } from "@keepsats/client";
import type { StaffStatus } from "@keepsats/domain";
import { paths, shipWarnings, transitionAnswerSchema, withId } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeErrorText } from "../../lib/api.ts";
import { changeEach } from "../../lib/change-each.ts";
import { openLoansText } from "../../lib/format.ts";
import { type PackingOrderView, packingOrderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";
import {
  isConfirmed,
  type Move,
  moveReport,
  type Outcome,
  type Outcomes,
  outcomeOf,
} from "./bulk-moves.ts";

interface BulkMoveOptions {
  readonly to: StaffStatus;
  readonly nameOf: (id: string) => string;
  readonly onAllMoved: () => void;
}

/** Moves several orders to a status. `outcomes` has the outcome of each order so far. */
export function useBulkMoves({ to, nameOf, onAllMoved }: BulkMoveOptions) {
  const client = useQueryClient();
  const { role } = useSession().staff;
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const add = (added: Outcomes) => setOutcomes((now) => new Map([...now, ...added]));

  /** @throws an error with the number of orders that have not moved */
  async function move(moves: readonly Move[]): Promise<void> {
    const moveOne = (one: Move) => {
      const query = packingOrderQuery(one.id, role);
      const read = () => client.fetchQuery({ ...query, staleTime: 0 });
      return moveOrder(one, read, outcomes.get(one.id));
    };
    const made = await changeEach(moves, moveOne, add);
    toasts.show(moveReport(to, made, nameOf));
    const { kind, title } = moveReport(to, new Map([...outcomes, ...made]), nameOf);
    if (kind === "error") throw new Error(`${title}. Each order shows its reason.`);
    onAllMoved();
  }
  return { outcomes, move };
}

/**
 * Moves an order, unless there is a warning that staff have not confirmed. If the response is lost
 * or the order has moved, its current state decides the outcome.
 *
 * @param earlier the outcome of the attempt before
 */
async function moveOrder(
  move: Move,
  read: () => Promise<PackingOrderView>,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { id, from: expected_status, ...request } = move;
  const path = withId(paths.admin.transitions, id);
  let failure = "The order has changed";
  try {
    const { text, despite } = await warningOf(move, read);
    if (text !== "" && !isConfirmed(earlier, text)) return { kind: "unconfirmed", text };
    const body = { ...request, expected_status, ...despite };
    const { changed, open_loans = [] } = await call({
      path,
      method: "POST",
      body,
      answer: transitionAnswerSchema,
    });
    if (changed) return { kind: "moved", text: openLoansText(open_loans) };
  } catch (error) {
    failure = changeErrorText(error);
  }
  try {
    const order = await read();
    const overtakenText = statusChangeText(order, Date.now());
    return outcomeOf(move, order, overtakenText) ?? { kind: "failed", text: failure };
  } catch {
    return { kind: "failed", text: failure };
  }
}

/** The warning before an order ships; `despite` confirms it. */
async function warningOf({ to }: Move, read: () => Promise<PackingOrderView>) {
  if (to !== "Shipped") return { text: "", despite: {} };
  const { texts, hasIssue } = shipWarnings(await read());
  return { text: texts.join(" "), despite: hasIssue ? { despite_issue: true } : {} };
}
