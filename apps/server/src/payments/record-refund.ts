import { createHash } from "node:crypto";
import { type Cents, formatMoney, refundText } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { Actor, AmendOrder } from "../orders/index.ts";
import type { Announce } from "../outbox/outbox.ts";
import { issuesOf, storeResolution } from "./issue-repository.ts";
import { type Books, type Ledger, ledgerOf, type Refund } from "./ledger.ts";
import { findBooks, insertRefund } from "./ledger-repository.ts";
import { issueAnnouncement } from "./record.ts";
import { forgetSettled } from "./settled-loans.ts";

/** Money that staff have refunded outside of the shop. */
export interface RefundRequest {
  readonly orderId: string;
  /** More than 0. */
  readonly cents: Cents;
  /** How it was refunded, such as `bank transfer`. */
  readonly method: string;
  readonly reference?: string | undefined;
  readonly by: Actor;
  /** The refunded amount that the caller has seen. */
  readonly expectedRefunded?: Cents | undefined;
  /** A repeated request with the same key is recorded once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The outcome of a {@link RefundRequest}. `repeated`: it was recorded by an earlier request with
 * the same key. `key-reused`: that key has recorded another refund. `changed-meanwhile`: another
 * amount was refunded before than expected. `more-than-refundable` and `changed-meanwhile`: nothing
 * is stored.
 */
export type RefundOutcome =
  | { readonly kind: "recorded" | "repeated"; readonly refund: Refund; readonly ledger: Ledger }
  | { readonly kind: "more-than-refundable" | "changed-meanwhile"; readonly ledger: Ledger }
  | { readonly kind: "key-reused" }
  | { readonly kind: "not-found" };

export type RecordRefund = (request: RefundRequest) => Promise<RefundOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
  readonly now: Clock;
  readonly newId: () => string;
}

/**
 * Creates the function that records refunds. Concurrent refunds of one order wait for one another,
 * so together they cannot exceed the refundable amount. The refund after which nothing more is
 * refundable resolves the order's open payment issues that have money: all of it is refunded then.
 */
export function createRecordRefund(dependencies: Dependencies): RecordRefund {
  const { database, amendOrder, announce, now, newId } = dependencies;
  return (request) =>
    database.inTransaction(async (unit): Promise<RefundOutcome> => {
      const { orderId, cents, method, reference, by, idempotencyKey: key } = request;
      await unit.lock(orderId);
      const books = await findBooks(unit.db, orderId);
      if (books === undefined) return { kind: "not-found" };
      const before = ledgerOf(books);
      const id = key === undefined ? newId() : idOfKey(orderId, key);
      const earlier = books.refunds.find((one) => one.id === id);
      if (earlier !== undefined) {
        if (!isSame(earlier, request)) return { kind: "key-reused" };
        return { kind: "repeated", refund: earlier, ledger: before };
      }
      if ((request.expectedRefunded ?? before.refunded) !== before.refunded)
        return { kind: "changed-meanwhile", ledger: before };
      if (cents > before.refundable) return { kind: "more-than-refundable", ledger: before };
      const refund = { id, cents, method, reference, byName: nameOf(by), at: now() };
      await insertRefund(unit, orderId, refund);
      const ledger = ledgerOf({ ...books, refunds: [...books.refunds, refund] });
      const data = { refund_id: id, cents, method, reference };
      await amendOrder(unit, { orderId, kind: "refunded", by, data });
      const told = { refund_id: id, cents, refund_due: ledger.refundDue };
      await announce(unit, [{ type: "order.refunded", subject: orderId, data: told }]);
      if (ledger.refundable === 0)
        await resolveAll(unit, { orderId, books, refund, by }, dependencies);
      return { kind: "recorded", refund, ledger };
    });
}

interface Covering {
  readonly orderId: string;
  /** Before the refund. */
  readonly books: Books;
  readonly refund: Refund;
  readonly by: Actor;
}

/**
 * Resolves each open payment issue whose money was refunded. Payment issues of an order change
 * under its lock only.
 */
async function resolveAll(
  unit: UnitOfWork,
  { orderId, books, refund, by }: Covering,
  { amendOrder, announce }: Pick<Dependencies, "amendOrder" | "announce">,
): Promise<void> {
  const resolution = "refunded";
  const issues = await issuesOf(unit.db, orderId);
  const refunded = issues.filter((one) => one.resolution === resolution);
  const earlier = withoutFirst(
    books.refunds,
    refunded.reduce((sum, one) => sum + (one.cents ?? 0), 0),
  );
  for (const { loan_id, kind, resolved_at } of issues) {
    const booked = books.issues.find((one) => one.loanId === loan_id && one.kind === kind);
    if (resolved_at !== null || booked?.cents === undefined || booked.cents === 0) continue;
    const key = { loanId: loan_id, orderId, kind };
    await storeResolution(unit, key, {
      resolution,
      note: noteOf(refund, earlier),
      by: refund.byName,
      at: refund.at,
    });
    await forgetSettled(unit, loan_id);
    const data = { loan_id, issue_kind: kind, resolution };
    await amendOrder(unit, { orderId, kind: "issue-resolved", by, data });
    await announce(unit, [issueAnnouncement("payment_issue.resolved", key, { resolution })]);
  }
}

/**
 * What is left of refunds, oldest first, once the first so many cents have resolved other payment
 * issues.
 */
function withoutFirst(refunds: readonly Refund[], cents: Cents): Refund[] {
  let spent = cents;
  return refunds.flatMap((one) => {
    const used = Math.min(spent, one.cents);
    spent -= used;
    return used === one.cents ? [] : [{ ...one, cents: one.cents - used }];
  });
}

const LAST = ", the last: ";

/**
 * The note of a payment issue that a refund has resolved, such as `$45.00 by bank transfer,
 * reference 17`, or `$45.00 in 2 parts, the last: $25.00 by cash`.
 *
 * @param before the earlier refunds for the payment issue
 */
function noteOf(refund: Refund, before: readonly Refund[]): string {
  if (before.length === 0) return refundText(refund);
  const total = before.reduce((sum, { cents }) => sum + cents, refund.cents);
  return `${formatMoney(total)} in ${before.length + 1} parts${LAST}${refundText(refund)}`;
}

/** Whether the note of a resolved payment issue is the one that this refund has made. */
export function isNoteOf(refund: Refund, note: string | null): boolean {
  const text = refundText(refund);
  return note !== null && (note === text || note.endsWith(LAST + text));
}

/** The name of whoever makes a change, as it is stored. */
export function nameOf(by: Actor): string {
  return by.kind === "merchant" ? by.name : by.kind;
}

function isSame(refund: Refund, { cents, method, reference }: RefundRequest): boolean {
  return refund.cents === cents && refund.method === method && refund.reference === reference;
}

/**
 * The id of a refund that was sent with a key: always the same for the same order and key, in the
 * form of a UUID.
 */
function idOfKey(orderId: string, key: string): string {
  const hash = createHash("sha256").update(`${orderId}\n${key}`).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
