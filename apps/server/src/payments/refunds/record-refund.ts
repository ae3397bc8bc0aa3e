import { balanceIn, balancesOf, type Cents, currency, refundText } from "@keepsats/domain";
import type { Database, UnitOfWork } from "../../db/database.ts";
import type { Actor, AmendOrder } from "../../orders/index.ts";
import type { Announce } from "../../outbox/outbox.ts";
import { hashedId } from "../hashed-id.ts";
import { findIssue } from "../issues/issue-repository.ts";
import type { Reconcile } from "../issues/reconcile.ts";
import {
  type AccountKey,
  type AppendEntries,
  accountOf,
  readAccountOf,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import { type NewEntry, type RefundDecision, refundOf } from "../rules.ts";

/** The account that money was refunded from: that of an order, or that of a payment issue. */
export type RefundedAccount =
  | { readonly orderId: string; readonly issueId?: string | undefined }
  | { readonly issueId: string };

/** Money that staff have refunded outside of the shop. */
export interface RefundRequest {
  readonly account: RefundedAccount;
  /** More than 0. */
  readonly amount: Cents;
  /** By default that of the payment issue's loan, or the shop's. */
  readonly currency?: string | undefined;
  /** How it was refunded, such as `bank transfer`. */
  readonly method: string;
  readonly reference?: string | undefined;
  /** Why it was refunded. */
  readonly reason?: string | undefined;
  /** The refunded amount in this currency that the caller has seen. */
  readonly expectedRefunded?: Cents | undefined;
  /** A repeated request with the same key is recorded once. */
  readonly idempotencyKey?: string | undefined;
  readonly by: Actor;
}

/**
 * The outcome of a {@link RefundRequest}; `account` is as it is afterwards. `repeated`: it was
 * recorded by an earlier request with the same key. `unknown-issue`: the order has no such payment
 * issue. All but `recorded` store nothing.
 */
export type RefundOutcome =
  | {
      readonly kind: "recorded" | "repeated";
      readonly refundId: string;
      readonly account: StoredAccount;
    }
  | Exclude<RefundDecision, { kind: "recorded" | "repeated" }>
  | { readonly kind: "not-found" | "unknown-issue" };

export type RecordRefund = (request: RefundRequest) => Promise<RefundOutcome>;

export interface RefundDependencies {
  readonly database: Database;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
  readonly appendEntries: AppendEntries;
  readonly reconcile: Reconcile;
}

/**
 * Creates the function that records refunds. Concurrent refunds of one account wait for one another,
 * so together they cannot exceed the refundable amount. A payment issue whose money was refunded is
 * resolved.
 */
export function createRecordRefund(
  dependencies: RefundDependencies & { readonly newId: () => string },
): RecordRefund {
  const { database, appendEntries, reconcile, newId } = dependencies;
  return (request) =>
    database.inTransaction(async (unit): Promise<RefundOutcome> => {
      const { account: wanted, idempotencyKey, by, ...order } = request;
      const place = await placeOf(unit, wanted);
      if (place.kind !== "found") return place;
      const { key, issue } = place;
      await unit.lock(...lockNames(key, issue?.loanId));
      const account = await readAccountOf(unit.db, key);
      if ("orderId" in key && account.order === undefined) return { kind: "not-found" };
      const refundId =
        idempotencyKey === undefined ? newId() : hashedId("refund", idIn(key), idempotencyKey);
      const decision = refundOf({ ...order, refundId, issue }, account);
      if (decision.kind === "repeated") return { kind: "repeated", refundId, account };
      if (decision.kind !== "recorded") return decision;
      const added = await appendEntries(unit, decision.entries, by);
      const after = { ...account, entries: [...account.entries, ...added] };
      await tellOfRefund(
        unit,
        { kind: "refunded", entries: decision.entries, by, after },
        dependencies,
      );
      await reconcile(unit, key, by, { refundNote: noteOf(decision.entries) });
      return { kind: "recorded", refundId, account: await readAccountOf(unit.db, key) };
    });
}

type Place =
  | {
      readonly kind: "found";
      readonly key: AccountKey;
      readonly issue: { readonly id: string; readonly loanId: string } | undefined;
    }
  | { readonly kind: "not-found" | "unknown-issue" };

/** Finds the account of a refund and the payment issue that it names. */
export async function placeOf({ db }: UnitOfWork, wanted: RefundedAccount): Promise<Place> {
  const orderId = "orderId" in wanted ? wanted.orderId : undefined;
  const issue = wanted.issueId === undefined ? undefined : await findIssue(db, wanted.issueId);
  if (wanted.issueId === undefined) {
    return orderId === undefined
      ? { kind: "not-found" }
      : { kind: "found", key: { orderId }, issue: undefined };
  }
  if (issue === undefined) return { kind: orderId === undefined ? "not-found" : "unknown-issue" };
  if (orderId !== undefined && issue.orderId !== orderId) return { kind: "unknown-issue" };
  return { kind: "found", key: accountOf(issue), issue };
}

export function lockNames(key: AccountKey, loanId: string | undefined): string[] {
  return [...new Set([idIn(key), ...(loanId === undefined ? [] : [loanId])])];
}

function idIn(key: AccountKey): string {
  return "orderId" in key ? key.orderId : key.loanId;
}

interface Told {
  readonly kind: "refunded" | "refund-reversed";
  readonly entries: readonly NewEntry[];
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** The account with the entries. */
  readonly after: StoredAccount;
}

/** Adds an event to the order whose money was refunded, and announces it. */
export async function tellOfRefund(
  unit: UnitOfWork,
  { kind, entries, by, reason, after }: Told,
  { amendOrder, announce }: Pick<RefundDependencies, "amendOrder" | "announce">,
): Promise<void> {
  const entry = entries.find((one) => one.kind === kind);
  const orderId = after.order?.id;
  if (entry === undefined || orderId === undefined) return;
  const { amount: cents, currency: code, method, reference, refundId = "" } = entry;
  const facts = { refund_id: refundId, cents, currency: code };
  await amendOrder(unit, { orderId, kind, by, reason, data: { ...facts, method, reference } });
  const due = balanceIn(balancesOf(after), code).refundDue;
  const type = kind === "refunded" ? "order.refunded" : "order.refund_reversed";
  await announce(unit, [{ type, subject: orderId, data: { ...facts, refund_due: due } }]);
}

/** The note of the payment issues that a refund resolves, such as `$45.00 by cash, reference 17`. */
function noteOf(entries: readonly NewEntry[]): string | undefined {
  const refund = entries.find(({ kind }) => kind === "refunded");
  if (refund === undefined) return undefined;
  const { amount: cents, currency: code = currency.code, method = "", reference } = refund;
  return refundText({ cents, currency: code, method, reference });
}
