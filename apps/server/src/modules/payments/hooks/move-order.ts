import { canMove, isOrderStatus } from "@keepsats/domain";
import { doubtsPayment } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import {
  findStates,
  type MoveOutcome,
  type OpenLoan,
  type PaymentHooks,
  type StaffMove,
} from "../../orders/index.ts";
import { findIssuesOfOrder, type StoredIssue } from "../issues/issue-repository.ts";
import { openLoansOf, type StoredLoan } from "../rules/index.ts";
import { type CancellationDependencies, findUnclearLoans } from "./cancel-order.ts";

/**
 * Creates the function that moves orders for staff.
 *
 * Before an order is cancelled, the provider is asked about its loans, as for the customer. It is
 * cancelled whatever the answer is, and the outcome has the loans that may still be paid out. A
 * payout that came a moment ago is in the journal then, so the refund due is a payment issue.
 */
export function createMoveOrder({
  database,
  askAboutLoans,
  changeStatuses,
  issues,
}: CancellationDependencies): PaymentHooks["moveOrder"] {
  return async (move) => {
    const { orderId, to, by } = move;
    const scope = { orderId, onlyWithKey: false };
    const unanswered = to === "Cancelled" ? await askAboutLoans(scope) : [];
    return database.inTransaction(async (unit): Promise<MoveOutcome> => {
      await unit.lock(orderId);
      const doubts = await findDoubts(unit.db, move);
      if (doubts.length > 0) return { kind: "open-issue", issues: doubts };
      const now = database.now();
      const unclear = await findUnclearLoans(unit.db, scope, { unanswered, now });
      const change = { ...move, hasUnclearLoans: unclear.length > 0 };
      const [outcome] = await changeStatuses(unit, [change]);
      if (outcome === undefined) throw new Error("no outcome for a status change");
      if (outcome.kind !== "changed") return outcome;
      const loans = to === "Cancelled" ? (await issues.update(unit, { orderId }, by)).loans : [];
      return { ...outcome, openLoans: openLoansFor(loans, unclear) };
    });
  };
}

/** The open issues that shipping needs a confirmation for, if the move ships without one. */
async function findDoubts(
  db: Queries,
  { orderId, to, despiteIssue, expected }: StaffMove,
): Promise<StoredIssue[]> {
  if (to !== "Shipped" || despiteIssue === true) return [];
  const status = (await findStates(db, [orderId])).get(orderId)?.status;
  const isMovable = status !== undefined && isOrderStatus(status) && canMove(status, to);
  if (!isMovable || (expected ?? status) !== status) return [];
  const issues = await findIssuesOfOrder(db, orderId);
  return issues.filter(({ kind, resolution }) => resolution === undefined && doubtsPayment(kind));
}

function openLoansFor(loans: readonly StoredLoan[], unclear: readonly string[]): OpenLoan[] {
  const bound = openLoansOf({ loans }).map(
    ({ id, providerStatus, state }): OpenLoan => ({
      id,
      providerStatus,
      state: state === "active" ? "active" : "unknown",
    }),
  );
  const others = unclear.filter((id) => !bound.some((loan) => loan.id === id));
  return [
    ...bound,
    ...others.map((id): OpenLoan => ({ id, providerStatus: undefined, state: "unknown" })),
  ];
}
