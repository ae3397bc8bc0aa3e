import { balanceIn, balancesOf, refundText } from "@keepsats/domain";
import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import type { EmitEvents } from "../../../platform/outbox/domain-event.ts";
import type { AmendOrder } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import { findIssue, hashedId } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import {
  type AccountKey,
  type AppendEntries,
  accountOf,
  readAccountOf,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import {
  type NewEntry,
  type RefundDecision,
  type RefundOrder,
  type RefundReversalDecision,
  refundOf,
  refundReversalOf,
} from "../rules.ts";

/** The account that money was refunded from: that of an order, or that of a payment issue. */
export type RefundedAccount =
  | { readonly orderId: string; readonly issueId?: string | undefined }
  | { readonly orderId?: undefined; readonly issueId: string };

export interface RefundRequest extends Omit<RefundOrder, "refundId" | "issue"> {
  readonly account: RefundedAccount;
  /** A repeated request with the same key is recorded once. */
  readonly idempotencyKey?: string | undefined;
  readonly by: Actor;
}

/**
 * `repeated`: an earlier request with the same key recorded it. `unknown-issue`: the order has no
 * such payment issue. All but `recorded` store nothing.
 */
export type RefundOutcome =
  | {
      readonly kind: "recorded" | "repeated";
      readonly refundId: string;
      /** The account after the refund. */
      readonly account: StoredAccount;
    }
  | Exclude<RefundDecision, { kind: "recorded" | "repeated" }>
  | { readonly kind: "not-found" | "unknown-issue" };

export interface RefundReversalRequest {
  readonly account: RefundedAccount;
  readonly refundId: string;
  readonly reason: string;
  readonly by: Actor;
}

/** All but `recorded` store nothing. */
export type RefundReversalOutcome =
  | { readonly kind: "recorded"; readonly account: StoredAccount }
  | Exclude<RefundReversalDecision, { kind: "recorded" }>;

interface Dependencies {
  readonly database: Database;
  readonly amendOrder: AmendOrder;
  readonly emitEvents: EmitEvents;
  readonly appendEntries: AppendEntries;
  readonly issues: IssueWriter;
  readonly newId: () => string;
}

export type Refunds = ReturnType<typeof createRefunds>;

export function createRefunds(dependencies: Dependencies) {
  const { database, newId } = dependencies;
  return {
    /**
     * Concurrent refunds of one account wait for one another, so together they cannot exceed the
     * refundable amount. A payment issue whose money was refunded is resolved.
     */
    record: (request: RefundRequest) =>
      database.inTransaction(async (unit): Promise<RefundOutcome> => {
        const { account: wanted, idempotencyKey, by, ...order } = request;
        const found = await lockAccount(unit, wanted);
        if (found.kind !== "found") return found;
        const { key, issue, account } = found;
        if ("orderId" in key && account.order === undefined) return { kind: "not-found" };
        const refundId =
          idempotencyKey === undefined ? newId() : hashedId("refund", idIn(key), idempotencyKey);
        const decision = refundOf({ ...order, refundId, issue }, account);
        if (decision.kind === "repeated") return { kind: "repeated", refundId, account };
        if (decision.kind !== "recorded") return decision;
        const change = { ...found, kind: "refunded", entries: decision.entries, by } as const;
        return { kind: "recorded", refundId, account: await store(unit, change, dependencies) };
      }),
    /** Records that a refund did not arrive. The payment issue about its money opens again. */
    reverse: ({ account: wanted, refundId, reason, by }: RefundReversalRequest) =>
      database.inTransaction(async (unit): Promise<RefundReversalOutcome> => {
        const found = await lockAccount(unit, wanted);
        if (found.kind !== "found") return { kind: "not-found" };
        const decision = refundReversalOf(refundId, found.account);
        if (decision.kind !== "recorded") return decision;
        const entries = decision.entries.map((entry) => ({ ...entry, reason }));
        const change = { ...found, kind: "refund-reversed", entries, by, reason } as const;
        return { kind: "recorded", account: await store(unit, change, dependencies) };
      }),
  };
}

interface LockedAccount {
  readonly kind: "found";
  readonly key: AccountKey;
  readonly issue: { readonly id: string; readonly loanId: string } | undefined;
}

type Found = LockedAccount | { readonly kind: "not-found" | "unknown-issue" };

async function lockAccount(
  unit: UnitOfWork,
  wanted: RefundedAccount,
): Promise<(LockedAccount & { readonly account: StoredAccount }) | Exclude<Found, LockedAccount>> {
  const found = await findAccount(unit, wanted);
  if (found.kind !== "found") return found;
  const { key, issue } = found;
  await unit.lock(...new Set([idIn(key), issue?.loanId ?? idIn(key)]));
  return { ...found, account: await readAccountOf(unit.db, key) };
}

async function findAccount(
  { db }: UnitOfWork,
  { orderId, issueId }: RefundedAccount,
): Promise<Found> {
  if (orderId === undefined) {
    const issue = await findIssue(db, issueId);
    if (issue === undefined) return { kind: "not-found" };
    return { kind: "found", key: accountOf(issue), issue };
  }
  if (issueId === undefined) return { kind: "found", key: { orderId }, issue: undefined };
  const issue = await findIssue(db, issueId);
  if (issue?.orderId !== orderId) return { kind: "unknown-issue" };
  return { kind: "found", key: { orderId }, issue };
}

function idIn(key: AccountKey): string {
  return "orderId" in key ? key.orderId : key.loanId;
}

interface RefundChange {
  readonly kind: "refunded" | "refund-reversed";
  readonly key: AccountKey;
  readonly account: StoredAccount;
  readonly entries: readonly NewEntry[];
  readonly by: Actor;
  readonly reason?: string | undefined;
}

async function store(
  unit: UnitOfWork,
  { kind, key, account, entries, by, reason }: RefundChange,
  { appendEntries, amendOrder, emitEvents, issues }: Dependencies,
): Promise<StoredAccount> {
  const added = await appendEntries(unit, entries, by);
  const entry = added.find((one) => one.kind === kind);
  const orderId = account.order?.id;
  if (entry === undefined) throw new Error(`there is an entry that says ${kind}`);
  const { amount: cents, currency, method, reference, refundId = "" } = entry;
  if (orderId !== undefined) {
    const refund = { refund_id: refundId, cents, currency };
    await amendOrder(unit, { orderId, kind, by, reason, data: { ...refund, method, reference } });
    const after = balancesOf({ ...account, entries: [...account.entries, ...added] });
    const refund_due = balanceIn(after, currency).refundDue;
    const type = kind === "refunded" ? "order.refunded" : "order.refund_reversed";
    await emitEvents(unit, [{ type, subject: orderId, data: { ...refund, refund_due } }]);
  }
  // Such as `$45.00 by cash, reference 17`.
  const note = refundText({ cents, currency, method: method ?? "", reference });
  return issues.reconcile(unit, key, by, kind === "refunded" ? { refundNote: note } : {});
}
