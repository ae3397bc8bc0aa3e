import type { Cents } from "@keepsats/domain";
import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { Actor, AmendOrder, ChangeStatuses, StoredStatus } from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { type Books, ledgerOf, stillOwedFor } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import { findLoan, saveLoan } from "./loan-repository.ts";
import { NO_ORDER, type Resolution } from "./mismatch.ts";
import type { MismatchKey } from "./mismatch-id.ts";
import {
  findMismatch,
  openCompanionsOf,
  type StoredMismatch,
  storeResolution,
} from "./mismatch-repository.ts";
import { mismatchAnnouncement } from "./record.ts";
import { isNoteOf, nameOf } from "./record-refund.ts";
import { forgetSettled } from "./settled-loans.ts";

/** What the merchant says about a mismatch. */
export interface ResolutionRequest extends MismatchKey {
  readonly resolution: Resolution;
  readonly note: string;
  readonly by: Actor;
}

/**
 * The outcome of a {@link ResolutionRequest}; all but `resolved` change nothing. `still-owed`: so
 * many cents must be given back first. `amount-unknown`: no money is known to have come in by it,
 * or not how much. `not-acceptable`: it is not an underpaid loan that was paid out. `too-late`: the
 * order does not wait for money any more, and `status` is what it is now. `given-back`: some of the
 * money was given back already, so it cannot pay the order.
 */
export type ResolutionOutcome =
  | { readonly kind: "resolved" | "resolved-already"; readonly mismatch: StoredMismatch }
  | { readonly kind: "still-owed"; readonly cents: Cents }
  | { readonly kind: "too-late"; readonly status: StoredStatus }
  | { readonly kind: "amount-unknown" | "not-acceptable" | "given-back" | "not-found" };

export type ResolveMismatch = (request: ResolutionRequest) => Promise<ResolutionOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
  readonly now: Clock;
}

/** A reason not to resolve a mismatch. */
type Refusal = Exclude<ResolutionOutcome, { kind: "resolved" | "resolved-already" | "not-found" }>;

/**
 * Creates the function that resolves mismatches. It takes the locks of a settlement: the loan and
 * the order. So no payment arrives between its decision and its commit.
 */
export function createResolveMismatch(dependencies: Dependencies): ResolveMismatch {
  const { database } = dependencies;
  return (request) =>
    database.inTransaction(async (unit): Promise<ResolutionOutcome> => {
      const { contractId, orderId } = request;
      const companions = await openCompanionsOf(unit.db, request);
      const orderIds = [orderId, ...companions.map((one) => one.orderId)].filter(
        (id) => id !== NO_ORDER,
      );
      await unit.lock(...new Set([contractId, ...orderIds]));
      const mismatch = await findMismatch(unit.db, request);
      if (mismatch === undefined) return { kind: "not-found" };
      // `undefined` for a mismatch of no order, or of one that this shop does not have: it has no
      // ledger.
      const books = await findBooks(unit.db, orderId);
      const isNote = isNoteOfRefund({ request, mismatch, books });
      if (mismatch.resolved_at !== null && !isNote) return { kind: "resolved-already", mismatch };
      const refusal = isNote
        ? undefined
        : await refusalOf(unit, { request, mismatch, books }, dependencies);
      if (refusal !== undefined) return refusal;
      await store(unit, request, { ...dependencies, isTold: !isNote });
      await forgetSettled(unit, contractId);
      if (mismatch.cents !== null)
        await explainCompanions(unit, { request, orderIds }, dependencies);
      const resolved = await findMismatch(unit.db, request);
      return resolved === undefined
        ? { kind: "not-found" }
        : { kind: "resolved", mismatch: resolved };
    });
}

/**
 * Explains what is asked about a loan at other orders: its money is seen to. @param orderIds the
 * orders that are locked
 */
async function explainCompanions(
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
      { ...key, resolution: "explained", note, by },
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
  const { contractId, orderId, kind } = key;
  await storeResolution(unit, key, { resolution, note, by: nameOf(by), at: now() });
  const data = { contract_id: contractId, mismatch: kind, resolution };
  await amendOrder(unit, { orderId, kind: "mismatch-resolved", by, reason: note, data });
  if (isTold)
    await announce(unit, [mismatchAnnouncement("mismatch.resolved", key, { resolution })]);
}

interface Case {
  readonly request: ResolutionRequest;
  readonly mismatch: StoredMismatch;
  readonly books: Books | undefined;
}

/**
 * Whether a mismatch that a refund has resolved gets the note of somebody who says the same:
 * whoever records the refund and then resolves the mismatch is not refused.
 */
function isNoteOfRefund({ request, mismatch, books }: Case): boolean {
  const { resolution, resolution_note } = mismatch;
  if (request.resolution !== "given_back" || resolution !== "given_back") return false;
  return books?.refunds.some((refund) => isNoteOf(refund, resolution_note)) ?? false;
}

/** Checks a resolution; an accepted loan is bound to its order and moves it. */
function refusalOf(
  unit: UnitOfWork,
  some: Case,
  dependencies: Dependencies,
): Refusal | undefined | Promise<Refusal | undefined> {
  const { request, mismatch, books } = some;
  switch (request.resolution) {
    case "explained":
      return undefined;
    case "given_back": {
      if (mismatch.cents === null) return { kind: "amount-unknown" };
      const cents = books === undefined ? 0 : (stillOwedFor(request, books) ?? 0);
      return cents === 0 ? undefined : { kind: "still-owed", cents };
    }
    case "accepted":
      return accept(unit, some, dependencies);
  }
}

/** Takes an underpaid loan as the payment of its order. */
async function accept(
  unit: UnitOfWork,
  { request: { contractId, orderId, by }, mismatch: { kind, cents, seen_at }, books }: Case,
  { changeStatuses }: Dependencies,
): Promise<Refusal | undefined> {
  const bound = await findLoan(unit.db, contractId);
  // What the provider has taken back pays nothing.
  const isOurs = bound === undefined || (bound.orderId === orderId && bound.standing !== "over");
  if (kind !== "underpaid" || cents === null || books === undefined || !isOurs) {
    return { kind: "not-acceptable" };
  }
  const { status } = books.order;
  if (!isOrderStatus(status) || !awaitsPayment(status)) return { kind: "too-late", status };
  if (ledgerOf(books).refundable < cents) return { kind: "given-back" };
  await saveLoan(unit, {
    // Until the next sweep reports the provider's own status and whether another loan extends it.
    ...(bound ?? {
      id: contractId,
      orderId,
      wasExtended: false,
      updatedAt: 0,
      // The money came when the mismatch was seen, not when somebody decided about it.
      boundAt: seen_at,
    }),
    // Whatever the provider says next is news.
    word: "accepted",
    standing: "paid",
    cents,
    extends: undefined,
  });
  // The note is the reason of the event that resolves the mismatch.
  const reason = `contract ${contractId}: accepted`;
  const [outcome] = await changeStatuses(unit, [{ orderId, to: "PaymentProcessed", by, reason }]);
  if (outcome?.kind !== "changed") throw new Error(`an order that was ${status} could not be paid`);
  return undefined;
}
