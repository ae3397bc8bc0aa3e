import type { Cents } from "@keepsats/domain";
import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { Actor, AmendOrder, ChangeStatuses, StoredStatus } from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { NO_ORDER, type Resolution } from "./issue.ts";
import type { IssueKey } from "./issue-id.ts";
import {
  findIssue,
  openCompanionsOf,
  type StoredIssue,
  storeResolution,
} from "./issue-repository.ts";
import { type Books, ledgerOf, refundDueFor } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import { findLoan, saveLoan } from "./loan-repository.ts";
import { issueAnnouncement } from "./record.ts";
import { isNoteOf, nameOf } from "./record-refund.ts";
import { forgetSettled } from "./settled-loans.ts";

/** What the merchant says about a payment issue. */
export interface ResolutionRequest extends IssueKey {
  readonly resolution: Resolution;
  readonly note: string;
  readonly by: Actor;
}

/**
 * The outcome of a {@link ResolutionRequest}; all but `resolved` change nothing. `refund-due`: so
 * many cents must be refunded first. `amount-unknown`: the received amount is unknown.
 * `not-acceptable`: it is not an underpaid loan that was paid out. `too-late`: the order does not
 * await payment any more; `status` is its present one. `refunded`: some of the money was refunded
 * already, so it cannot pay the order.
 */
export type ResolutionOutcome =
  | { readonly kind: "resolved" | "resolved-already"; readonly issue: StoredIssue }
  | { readonly kind: "refund-due"; readonly cents: Cents }
  | { readonly kind: "too-late"; readonly status: StoredStatus }
  | { readonly kind: "amount-unknown" | "not-acceptable" | "refunded" | "not-found" };

export type ResolveIssue = (request: ResolutionRequest) => Promise<ResolutionOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
  readonly now: Clock;
}

/** A reason not to resolve a payment issue. */
type Refusal = Exclude<ResolutionOutcome, { kind: "resolved" | "resolved-already" | "not-found" }>;

/**
 * Creates the function that resolves payment issues. It takes the locks of a settlement: the loan
 * and the order. So no payment arrives between its decision and its commit.
 */
export function createResolveIssue(dependencies: Dependencies): ResolveIssue {
  const { database } = dependencies;
  return (request) =>
    database.inTransaction(async (unit): Promise<ResolutionOutcome> => {
      const { loanId, orderId } = request;
      const companions = await openCompanionsOf(unit.db, request);
      const orderIds = [orderId, ...companions.map((one) => one.orderId)].filter(
        (id) => id !== NO_ORDER,
      );
      await unit.lock(...new Set([loanId, ...orderIds]));
      const issue = await findIssue(unit.db, request);
      if (issue === undefined) return { kind: "not-found" };
      // `undefined` for a payment issue of no order, or of one that this shop does not have: it has
      // no ledger.
      const books = await findBooks(unit.db, orderId);
      const isNote = isNoteOfRefund({ request, issue, books });
      if (issue.resolved_at !== null && !isNote) return { kind: "resolved-already", issue };
      const refusal = isNote
        ? undefined
        : await refusalOf(unit, { request, issue, books }, dependencies);
      if (refusal !== undefined) return refusal;
      await store(unit, request, { ...dependencies, isTold: !isNote });
      await forgetSettled(unit, loanId);
      if (issue.cents !== null) await dismissCompanions(unit, { request, orderIds }, dependencies);
      const resolved = await findIssue(unit.db, request);
      return resolved === undefined ? { kind: "not-found" } : { kind: "resolved", issue: resolved };
    });
}

/**
 * Dismisses the payment issues of a loan at other orders, because its money is dealt with. @param
 * orderIds the orders that are locked
 */
async function dismissCompanions(
  unit: UnitOfWork,
  {
    request,
    orderIds,
  }: { readonly request: ResolutionRequest; readonly orderIds: readonly string[] },
  dependencies: Dependencies,
): Promise<void> {
  const { resolution, note, by } = request;
  if (resolution === "accepted") return;
  for (const key of await openCompanionsOf(unit.db, request)) {
    if (key.orderId !== NO_ORDER && !orderIds.includes(key.orderId)) continue;
    await store(
      unit,
      { ...key, resolution: "dismissed", note, by },
      { ...dependencies, isTold: true },
    );
  }
}

/** Stores a resolution, with its event if the shop has the order. */
async function store(
  unit: UnitOfWork,
  { resolution, note, by, ...key }: ResolutionRequest,
  { amendOrder, announce, now, isTold }: Dependencies & { readonly isTold: boolean },
): Promise<void> {
  const { loanId, orderId, kind } = key;
  await storeResolution(unit, key, { resolution, note, by: nameOf(by), at: now() });
  const data = { loan_id: loanId, issue_kind: kind, resolution };
  await amendOrder(unit, { orderId, kind: "issue-resolved", by, reason: note, data });
  if (isTold)
    await announce(unit, [issueAnnouncement("payment_issue.resolved", key, { resolution })]);
}

interface Case {
  readonly request: ResolutionRequest;
  readonly issue: StoredIssue;
  readonly books: Books | undefined;
}

/**
 * Whether a payment issue that a refund has resolved gets the note of somebody who says the same:
 * whoever records the refund and then resolves the payment issue is not refused.
 */
function isNoteOfRefund({ request, issue, books }: Case): boolean {
  const { resolution, resolution_note } = issue;
  if (request.resolution !== "refunded" || resolution !== "refunded") return false;
  return books?.refunds.some((refund) => isNoteOf(refund, resolution_note)) ?? false;
}

/** Checks a resolution; an accepted loan is bound to its order and moves it. */
function refusalOf(
  unit: UnitOfWork,
  some: Case,
  dependencies: Dependencies,
): Refusal | undefined | Promise<Refusal | undefined> {
  const { request, issue, books } = some;
  switch (request.resolution) {
    case "dismissed":
      return undefined;
    case "refunded": {
      if (issue.cents === null) return { kind: "amount-unknown" };
      const cents = books === undefined ? 0 : (refundDueFor(request, books) ?? 0);
      return cents === 0 ? undefined : { kind: "refund-due", cents };
    }
    case "accepted":
      return accept(unit, some, dependencies);
  }
}

/** Takes an underpaid loan as the payment of its order. */
async function accept(
  unit: UnitOfWork,
  { request: { loanId, orderId, by }, issue: { kind, cents, seen_at }, books }: Case,
  { changeStatuses }: Dependencies,
): Promise<Refusal | undefined> {
  const bound = await findLoan(unit.db, loanId);
  // What the provider has taken back pays nothing.
  const isOurs = bound === undefined || (bound.orderId === orderId && bound.state !== "ended");
  if (kind !== "underpaid" || cents === null || books === undefined || !isOurs) {
    return { kind: "not-acceptable" };
  }
  const { status } = books.order;
  if (!isOrderStatus(status) || !awaitsPayment(status)) return { kind: "too-late", status };
  if (ledgerOf(books).refundable < cents) return { kind: "refunded" };
  await saveLoan(unit, {
    // Until the next sweep reports the provider's own status and whether another loan extends it.
    ...(bound ?? {
      id: loanId,
      orderId,
      wasExtended: false,
      updatedAt: 0,
      // The money came when the payment issue was seen, not when somebody decided about it.
      boundAt: seen_at,
    }),
    // Whatever the provider says next is news.
    providerStatus: "accepted",
    state: "paid-out",
    cents,
    extends: undefined,
  });
  // The note is the reason of the event that resolves the payment issue.
  const reason = `loan ${loanId}: accepted`;
  const [outcome] = await changeStatuses(unit, [{ orderId, to: "PaymentProcessed", by, reason }]);
  if (outcome?.kind !== "changed") throw new Error(`an order that was ${status} could not be paid`);
  return undefined;
}
