import { canMove, isOrderStatus } from "@keepsats/domain";
import type { IssueKind } from "@keepsats/protocol";
import type { Database, Queries, UnitOfWork } from "../../db/database.ts";
import { commitInGroups } from "../../db/in-groups.ts";
import {
  type ChangeStatuses,
  findStates,
  type OrderState,
  type StatusChange,
  type StatusChangeOutcome,
} from "../../orders/index.ts";
import { issuesAmong, type StoredIssue } from "../issues/issue-repository.ts";
import type { Reconcile } from "../issues/reconcile.ts";
import { readAccount } from "../journal/journal-repository.ts";
import { openLoansOf } from "../rules.ts";
import { type AskAboutLoans, unseenLoans } from "./known-loans.ts";

/** A status change that the merchant requests. */
export interface MerchantMove extends Omit<StatusChange, "attemptOver" | "hasUnclearLoans"> {
  /** Ship although a dispute, or a payout that was changed afterwards, is an open payment issue. */
  readonly despiteIssue?: boolean | undefined;
}

/** A loan that may still be paid out for a cancelled order. */
export interface LoanUnderWay {
  readonly id: string;
  /** `undefined` if the provider could not be asked about it. */
  readonly providerStatus: string | undefined;
  readonly state: "active" | "unknown";
}

/** The outcome of a {@link MerchantMove}; `open-issue`: it asks first, and nothing is changed. */
export type MoveOutcome =
  | Exclude<StatusChangeOutcome, { kind: "changed" }>
  | (Extract<StatusChangeOutcome, { kind: "changed" }> & {
      /** Of an order that was cancelled. */
      readonly loansUnderWay: readonly LoanUnderWay[];
    })
  | { readonly kind: "open-issue"; readonly issues: readonly StoredIssue[] };

export type MoveOrder = (move: MerchantMove) => Promise<MoveOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly askAboutLoans: AskAboutLoans;
  readonly changeStatuses: ChangeStatuses;
  readonly reconcile: Reconcile;
}

/** A move, and the loans about which the provider gave no answer. */
interface PreparedMove extends MerchantMove {
  readonly unanswered: readonly string[];
}

/** A move that is made, unless the order's status forbids it. */
interface Change {
  readonly move: PreparedMove;
  readonly unseen: readonly string[];
}

/**
 * Creates the function that moves orders for the merchant, with group commit.
 *
 * Before an order is cancelled, the provider is asked about its loans, as for the customer. It is
 * cancelled whatever the answer is, and the outcome has the loans that may still be paid out. A
 * payout that came a moment ago is in the journal then, so the refund due is a payment issue.
 */
export function createMoveOrder(dependencies: Dependencies): MoveOrder {
  const { database, askAboutLoans } = dependencies;
  const moveInGroup = commitInGroups<PreparedMove, MoveOutcome>(database, (unit, moves) =>
    moveAll(unit, moves, dependencies),
  );
  return async (move) => {
    const isCancellation = move.to === "Cancelled";
    const considered = { orderId: move.orderId, onlyWithKey: false };
    const unanswered = isCancellation ? await askAboutLoans(considered) : [];
    return moveInGroup({ ...move, unanswered });
  };
}

async function moveAll(
  unit: UnitOfWork,
  moves: readonly PreparedMove[],
  { database, changeStatuses, reconcile }: Dependencies,
): Promise<MoveOutcome[]> {
  const orderIds = moves.map(({ orderId }) => orderId);
  await unit.lock(...orderIds);
  const states = await findStates(unit.db, orderIds);
  const questions = await issuesBeforeShipping(unit.db, moves, states);
  const outcomes = new Map<PreparedMove, MoveOutcome>(
    [...questions].map(([move, issues]) => [move, { kind: "open-issue", issues }]),
  );
  const changes: Change[] = [];
  for (const move of moves) {
    if (outcomes.has(move)) continue;
    const { orderId, unanswered } = move;
    const considered = { orderId, onlyWithKey: false };
    const now = database.now();
    changes.push({ move, unseen: await unseenLoans(unit.db, considered, { unanswered, now }) });
  }
  const changed = await changeStatuses(unit, changes.map(changeOf), states);
  for (const [index, { move, unseen }] of changes.entries()) {
    const outcome = changed[index];
    if (outcome === undefined) throw new Error("there is an outcome for every change");
    if (outcome.kind !== "changed") {
      outcomes.set(move, outcome);
      continue;
    }
    const isCancelled = move.to === "Cancelled";
    if (isCancelled) await reconcile(unit, { orderId: move.orderId }, move.by);
    const loansUnderWay = isCancelled ? await underWay(unit.db, move.orderId, unseen) : [];
    outcomes.set(move, { ...outcome, loansUnderWay });
  }
  return moves.map((move) => outcomes.get(move) ?? { kind: "not-found" });
}

function changeOf({
  move: { despiteIssue: _, unanswered: _unanswered, ...change },
  unseen,
}: Change): StatusChange {
  return { ...change, ...(unseen.length > 0 ? { hasUnclearLoans: true } : {}) };
}

/** The payment issues because of which shipping asks first. */
const askingKinds: readonly string[] = [
  "disputed",
  "changed-after-payout",
] satisfies readonly IssueKind[];

/** Reads the payment issues that make shipping ask first; without the moves that need not ask. */
async function issuesBeforeShipping(
  db: Queries,
  moves: readonly PreparedMove[],
  states: ReadonlyMap<string, OrderState>,
): Promise<Map<PreparedMove, StoredIssue[]>> {
  const asking = moves.filter((move) => shipsUnasked(move, states.get(move.orderId)));
  if (asking.length === 0) return new Map();
  const orderIds = asking.map(({ orderId }) => orderId);
  const issues = (await issuesAmong(db, { orderIds, loanIds: [] })).filter(
    ({ kind, resolution }) => resolution === undefined && askingKinds.includes(kind),
  );
  const byOrder = Map.groupBy(issues, ({ orderId }) => orderId);
  return new Map(
    asking.flatMap((move) => {
      const some = byOrder.get(move.orderId);
      return some === undefined ? [] : [[move, some]];
    }),
  );
}

/** Whether a move ships an order that can be shipped, and nobody has said to do so all the same. */
function shipsUnasked(
  { to, despiteIssue, expected }: PreparedMove,
  state: OrderState | undefined,
): boolean {
  if (to !== "Shipped" || despiteIssue === true || state === undefined) return false;
  const { status } = state;
  return isOrderStatus(status) && canMove(status, to) && (expected ?? status) === status;
}

/** The loans that may still be paid out for a cancelled order. */
async function underWay(
  db: Queries,
  orderId: string,
  unseen: readonly string[],
): Promise<LoanUnderWay[]> {
  const account = await readAccount(db, orderId);
  const open = account === undefined ? [] : openLoansOf(account);
  const bound = open.map(({ id, providerStatus, state }) => ({
    id,
    providerStatus,
    state: state === "active" ? ("active" as const) : ("unknown" as const),
  }));
  const others = unseen.filter((id) => !bound.some((loan) => loan.id === id));
  return [
    ...bound,
    ...others.map((id) => ({ id, providerStatus: undefined, state: "unknown" as const })),
  ];
}
