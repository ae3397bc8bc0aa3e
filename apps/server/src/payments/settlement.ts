import type { IssueKind } from "@keepsats/protocol";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import {
  type ChangeStatuses,
  findState,
  type NoteAttemptOver,
  type OrderState,
} from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { decide } from "./decide.ts";
import type { Decided, Decision, Known, Move } from "./decision.ts";
import { moveIssues } from "./extension-issues.ts";
import type { OrderIssue } from "./issue.ts";
import { findClaim, hasUnknownOrderIssue, storeResolution } from "./issue-repository.ts";
import type { Loan } from "./loan.ts";
import type { Answer } from "./loan-provider.ts";
import { findLoanAndOthers, linkExtension, saveLoan } from "./loan-repository.ts";
import { createRecordIssue, issueAnnouncement, type OnIssue, type RecordIssue } from "./record.ts";
import { rememberSettled } from "./settled-loans.ts";

/**
 * The result of a settlement. `bound`: the loan belongs to its order. `refused`: it does not pay
 * the order. `ignored`: it names no order of the shop. `undecided`: nothing is stored, because the
 * provider must be asked about an earlier loan first and gave no answer, or because this version
 * does not know the order's status.
 */
export interface Settlement {
  readonly kind: "bound" | "refused" | "ignored" | "undecided";
}

/**
 * Decides what a loan means for its order and stores the decision, with group commit.
 *
 * @param presentedFor the id of the order that a shopper presented the loan for; `undefined` if the
 *   sweep found the loan, which is then stored as settled
 */
export type Settle = (loan: Loan, presentedFor?: string) => Promise<Settlement>;

/** The functions of the orders feature that change orders. */
export interface OrderMoves {
  readonly changeStatuses: ChangeStatuses;
  readonly noteAttemptOver: NoteAttemptOver;
}

interface Dependencies extends OrderMoves {
  readonly database: Database;
  readonly now: Clock;
  /** Asks the provider about a loan again. */
  readonly askAgain: (loanId: string) => Promise<Answer<Loan>>;
  readonly announce: Announce;
  readonly onIssue: OnIssue;
}

/** What is needed to apply a decision. */
interface Applied extends OrderMoves {
  readonly now: Clock;
  readonly announce: Announce;
  readonly record: RecordIssue;
}

/**
 * The most loans in one transaction. It is small because each takes several queries, and all locks
 * are held until the commit.
 */
const MOST_AT_ONCE = 10;
/** The most earlier loans of one order that the provider is asked about again. */
const MOST_ASKED_AGAIN = 5;

const foreseen: readonly IssueKind[] = ["underpaid", "wrong-currency", "unknown-order"];

/** One loan to settle. */
interface Job {
  readonly loan: Loan;
  readonly presentedFor: string | undefined;
  readonly asked: Known["asked"];
}

/** The input of a decision, and the state of the order, so that a move does not read it again. */
interface Read extends Known {
  readonly order: OrderState | undefined;
}

export function createSettle(dependencies: Dependencies): Settle {
  const { database, askAgain } = dependencies;
  const applied: Applied = { ...dependencies, record: createRecordIssue(dependencies) };

  async function settleAll(unit: UnitOfWork, jobs: readonly Job[]): Promise<Decision[]> {
    await unit.lock(...jobs.flatMap(lockNames));
    const decisions: Decision[] = [];
    for (const job of jobs) {
      const read = await readKnown(unit, job);
      const decision = decide(read);
      await apply(unit, read, decision, applied);
      decisions.push(decision);
    }
    const settled = jobs.filter(({ presentedFor }, index) => {
      const decision = decisions[index];
      return presentedFor === undefined && decision !== undefined && isDecided(decision);
    });
    await rememberSettled(
      unit,
      settled.map(({ loan }) => loan),
    );
    return decisions;
  }
  const settleOnce = commitInGroups(database, settleAll, { maxJobs: MOST_AT_ONCE });

  return async (loan, presentedFor) => {
    const asked = new Set<string>();
    for (;;) {
      const isLast = asked.size >= MOST_ASKED_AGAIN;
      const decision = await settleOnce({ loan, presentedFor, asked: isLast ? "all" : asked });
      if (decision.kind !== "ask-first") return { kind: decision.kind };
      const answer = await askAgain(decision.loanId);
      if (answer.kind === "found") {
        await settleOnce({ loan: answer.value, presentedFor: undefined, asked: new Set() });
      } else if (answer.kind !== "absent") return { kind: "undecided" };
      asked.add(decision.loanId);
    }
  };
}

function isDecided(decision: Decision): decision is Decided {
  return decision.kind !== "ask-first" && decision.kind !== "undecided";
}

/**
 * The locks of a settlement: the loan, the order that it names, and the one that it was presented
 * for.
 */
function lockNames({ loan, presentedFor }: Job): string[] {
  return [...new Set([loan.id, loan.orderId, presentedFor])].filter((name) => name !== undefined);
}

async function readKnown(unit: UnitOfWork, job: Job): Promise<Read> {
  const { loan } = job;
  let { bound, others } = await findLoanAndOthers(unit.db, loan.id, loan.orderId);
  const orderId = bound?.orderId ?? loan.orderId;
  if (orderId !== undefined && orderId !== loan.orderId) {
    // A bound loan that names another order now: the order that it is bound to is not locked yet.
    await unit.lock(orderId);
    ({ bound, others } = await findLoanAndOthers(unit.db, loan.id, orderId));
  }
  const order = orderId === undefined ? undefined : await findState(unit.db, orderId);
  const claim = bound?.state === "paid-out" ? undefined : await findClaim(unit, loan.id);
  return { ...job, bound, claim, orderId, order, others };
}

/** Applies a decision. Decisions are stored nowhere else. */
async function apply(
  unit: UnitOfWork,
  read: Read,
  decision: Decision,
  dependencies: Applied,
): Promise<void> {
  if (!isDecided(decision)) return;
  const { now, record } = dependencies;
  const { loan, order } = read;
  const { store, move, extendedBy, issues } = decision;
  if (order !== undefined) {
    if (store !== undefined)
      await saveLoan(unit, { id: loan.id, orderId: order.id, boundAt: now(), ...store });
    if (extendedBy !== undefined) await linkExtension(unit, extendedBy, loan.id);
    if (extendedBy !== undefined) await correctIssues(unit, read, extendedBy, dependencies);
    if (store?.state === "paid-out") await closeClaim(unit, read, dependencies);
    if (move !== undefined) await makeMove(unit, { loan, order, move }, dependencies);
  }
  for (const issue of issues) {
    const isRepeated = isPresentedForAnother(read) && (await hasUnknownOrderIssue(unit, loan.id));
    if (!isRepeated) await record(unit, loan.id, issue, { withoutMail: isForeseen(loan, issue) });
  }
}

/**
 * Corrects what was recorded about the money of an extension, now that the loan is seen which it
 * extends. Others are told; the merchant gets no second letter about the same money.
 */
async function correctIssues(
  unit: UnitOfWork,
  { loan }: Read,
  extension: string,
  { announce }: Applied,
): Promise<void> {
  const moved = await moveIssues(unit, extension, loan.id);
  await announce(
    unit,
    moved.flatMap(({ cents, ...key }) => [
      issueAnnouncement("payment_issue.resolved", key, { resolution: "dismissed" }),
      issueAnnouncement(
        "payment_issue.opened",
        { ...key, loanId: loan.id },
        { cents, without_mail: true },
      ),
    ]),
  );
}

/**
 * Closes the payment issue of a loan that named no order of the shop, once it pays one: its money
 * is counted there.
 */
async function closeClaim(
  unit: UnitOfWork,
  { loan, claim, order }: Read,
  { now, announce }: Applied,
): Promise<void> {
  if (claim === undefined || order === undefined || claim.isOfShop || claim.isResolved) return;
  const { orderId, kind } = claim;
  const key = { loanId: loan.id, orderId, kind };
  const resolution = "dismissed";
  const note = `It names order ${order.id} now, and is counted there.`;
  await storeResolution(unit, key, { resolution, note, by: "shop", at: now() });
  await announce(unit, [issueAnnouncement("payment_issue.resolved", key, { resolution })]);
}

/** Whether a loan was presented for another order than the one that it belongs to. */
function isPresentedForAnother({ presentedFor, orderId }: Read): boolean {
  return presentedFor !== undefined && presentedFor !== orderId;
}

/**
 * Whether a payment issue says only what will not fit once the loan is paid out. The merchant gets
 * one letter, when there is money to decide about.
 */
function isForeseen({ state }: Loan, { kind }: OrderIssue): boolean {
  return state !== "paid-out" && foreseen.includes(kind);
}

async function makeMove(
  unit: UnitOfWork,
  { loan, order, move }: { loan: Loan; order: OrderState; move: Move },
  { changeStatuses, noteAttemptOver }: OrderMoves,
): Promise<void> {
  const reason = `loan ${loan.id}: ${loan.providerStatus}`;
  switch (move.kind) {
    case "note-attempt-over":
      return noteAttemptOver(unit, order.id, reason);
    case "to": {
      const { to, attemptOver = false } = move;
      const change = {
        orderId: order.id,
        to,
        by: { kind: "provider" },
        reason,
        attemptOver,
      } as const;
      await changeStatuses(unit, [change], new Map([[order.id, order]]));
    }
  }
}
