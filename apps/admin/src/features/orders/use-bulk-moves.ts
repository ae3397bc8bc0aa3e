import type { StaffStatus } from "@keepsats/domain";
import { shipWarnings } from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../lib/api.ts";
import { openLoansText } from "../../lib/format.ts";
import { moveOrder, type OrderView, orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { useBulk } from "../../lib/use-bulk.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";
import { isConfirmed, type Move, moveReport, type Outcome } from "./bulk-moves.ts";

interface BulkMoveOptions {
  readonly to: StaffStatus;
  readonly nameOf: (id: string) => string;
  readonly onAllDone: () => void;
}

/** Moves several orders to a status. */
export function useBulkMoves({ to, nameOf, onAllDone }: BulkMoveOptions) {
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
async function attemptMove(
  move: Move,
  read: () => Promise<OrderView>,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { id, from: expected_status, ...request } = move;
  try {
    const { text, despite } = await warningOf(move, read);
    if (text !== "" && !isConfirmed(earlier, text)) return { kind: "unconfirmed", text };
    const body = { ...request, expected_status, ...despite };
    const { changed, open_loans = [] } = await moveOrder(id, body);
    return changed
      ? { kind: "moved", text: openLoansText(open_loans) }
      : { kind: "overtaken", text: statusChangeText(await read(), Date.now()) };
  } catch (error) {
    return { kind: "failed", text: errorText(error) };
  }
}

/** The warning before an order ships; `despite` confirms it. */
async function warningOf({ to }: Move, read: () => Promise<OrderView>) {
  if (to !== "Shipped") return { text: "", despite: {} };
  const { texts, hasIssue } = shipWarnings(await read());
  return { text: texts.join(" "), despite: hasIssue ? { despite_issue: true } : {} };
}
