import { canMove, isOrderStatus } from "@keepsats/domain";
import { doubtsPayment } from "@keepsats/protocol";
import { groupCommit } from "../../../platform/database/batching.ts";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import {
  findStates,
  type MoveOutcome,
  type OpenLoan,
  type OrderState,
  type PaymentHooks,
  type StaffMove,
} from "../../orders/index.ts";
import { findIssues, type StoredIssue } from "../issues/issue-repository.ts";
import { openLoansOf, type StoredLoan } from "../rules.ts";
import { findUnclearLoans } from "./ask-about-loans.ts";
import type { CancellationDependencies } from "./cancel-order.ts";

/** A move, and the loans about which the provider gave no answer. */
interface PreparedMove extends StaffMove {
  readonly unanswered: readonly string[];
}

/**
 * Creates the function that moves orders for staff, with group commit.
 *
 * Before an order is cancelled, the provider is asked about its loans, as for the customer. It is
 * cancelled whatever the answer is, and the outcome has the loans that may still be paid out. A
 * payout that came a moment ago is in the journal then, so the refund due is a payment issue.
 */
export function createMoveOrder(dependencies: CancellationDependencies): PaymentHooks["moveOrder"] {
  const { database, askAboutLoans } = dependencies;
  const moveInGroup = groupCommit<PreparedMove, MoveOutcome>(database, (unit, moves) =>
    moveAll(unit, moves, dependencies),
  );
  return async (move) => {
    const isCancellation = move.to === "Cancelled";
    const scope = { orderId: move.orderId, onlyWithKey: false };
    const unanswered = isCancellation ? await askAboutLoans(scope) : [];
    return moveInGroup({ ...move, unanswered });
  };
}

async function moveAll(
  unit: UnitOfWork,
  moves: readonly PreparedMove[],
  { database, changeStatuses, issues }: CancellationDependencies,
): Promise<MoveOutcome[]> {
  const orderIds = moves.map(({ orderId }) => orderId);
  await unit.lock(...orderIds);
  const states = await findStates(unit.db, orderIds);
  const asking = new Set(moves.filter((move) => asksFirst(move, states.get(move.orderId))));
  const openIssues = await findOpenIssues(unit.db, asking);
  const outcomes = new Map<PreparedMove, MoveOutcome>();
  const changes: { readonly move: PreparedMove; readonly unclear: readonly string[] }[] = [];
  for (const move of moves) {
    const { orderId, unanswered } = move;
    const open = asking.has(move) ? openIssues.get(orderId) : undefined;
    if (open !== undefined) {
      outcomes.set(move, { kind: "open-issue", issues: open });
      continue;
    }
    const scope = { orderId, onlyWithKey: false };
    const now = database.now();
    const unclear = await findUnclearLoans(unit.db, scope, { unanswered, now });
    changes.push({ move, unclear });
  }
  const changed = await changeStatuses(
    unit,
    changes.map(({ move, unclear }) => ({ ...move, hasUnclearLoans: unclear.length > 0 })),
    states,
  );
  for (const [index, { move, unclear }] of changes.entries()) {
    const outcome = changed[index];
    if (outcome === undefined) throw new Error("no outcome for a status change");
    if (outcome.kind !== "changed") {
      outcomes.set(move, outcome);
      continue;
    }
    const { orderId, to, by } = move;
    const loans = to === "Cancelled" ? (await issues.update(unit, { orderId }, by)).loans : [];
    outcomes.set(move, { ...outcome, openLoans: openLoansFor(loans, unclear) });
  }
  return moves.map((move) => outcomes.get(move) ?? { kind: "not-found" });
}

/** Whether a move ships an order that can be shipped, without `despiteIssue`. */
function asksFirst(
  { to, despiteIssue, expected }: PreparedMove,
  state: OrderState | undefined,
): boolean {
  if (to !== "Shipped" || despiteIssue === true || state === undefined) return false;
  const { status } = state;
  return isOrderStatus(status) && canMove(status, to) && (expected ?? status) === status;
}

async function findOpenIssues(
  db: Queries,
  asking: ReadonlySet<PreparedMove>,
): Promise<Map<string | undefined, StoredIssue[]>> {
  const orderIds = [...asking].map(({ orderId }) => orderId);
  const issues = (await findIssues(db, { orderIds })).filter(
    ({ kind, resolution }) => resolution === undefined && doubtsPayment(kind),
  );
  return Map.groupBy(issues, ({ orderId }) => orderId);
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
