import { balanceIn, balancesOf, type FieldError, refundText } from "@keepsats/domain";
import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import { hashedId } from "../../../platform/database/hashed-id.ts";
import type { EmitEvents } from "../../../platform/outbox/emit-events.ts";
import {
  type AmendOrder,
  findOrder,
  findReturnsOfOrder,
  type GrantedLine,
  type RefundReturn,
  type RestockLines,
  storeRefundLines,
} from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import { findIssue } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import {
  type AccountKey,
  type AppendEntries,
  accountKeyOf,
  idIn,
  readAccount,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import type { Receipts } from "../receipts/receipts.ts";
import {
  type NewEntry,
  type NewRefund,
  type RefundDecision,
  type RefundReversalDecision,
  refundOf,
  refundReversalOf,
} from "../rules.ts";
import { grantErrors, hasLines } from "./granted-lines.ts";

/** The account that money was refunded from. It belongs to an order or to a payment issue. */
export type RefundedAccount =
  | { readonly orderId: string; readonly issueId?: string | undefined }
  | { readonly orderId?: undefined; readonly issueId: string };

export interface RefundToRecord extends Omit<NewRefund, "refundId" | "issue"> {
  readonly account: RefundedAccount;
  /** The lines that a granted refund is for. */
  readonly lines?: readonly GrantedLine[] | undefined;
  /** The return whose pieces the lines are. */
  readonly returnId?: string | undefined;
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
  /** No refund is granted for an order whose personal data is erased. */
  | { readonly kind: "erased" }
  | { readonly kind: "wrong-lines"; readonly errors: readonly FieldError[] }
  | Exclude<Awaited<ReturnType<RefundReturn>>, { kind: "moved" }>
  | { readonly kind: "not-found" | "unknown-issue" };

export interface ReversalToRecord {
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
  readonly restockLines: RestockLines;
  readonly refundReturn: RefundReturn;
  readonly issueReceipts: Receipts["issueMissing"];
  readonly newId: () => string;
}

export type Refunds = ReturnType<typeof createRefunds>;

export function createRefunds(dependencies: Dependencies) {
  const { database, refundReturn, newId } = dependencies;
  return {
    /**
     * Concurrent refunds of one account wait for one another, so together they cannot exceed the
     * refundable amount. A payment issue whose money was refunded is resolved.
     */
    record: (request: RefundToRecord) =>
      database.inTransaction(async (unit): Promise<RefundOutcome> => {
        const { account: target, idempotencyKey, by, lines = [], returnId, ...refund } = request;
        const found = await lockAccount(unit, target);
        if (found.kind !== "found") return found;
        const { key, issue, account } = found;
        if ("orderId" in key && account.order === undefined) return { kind: "not-found" };
        const refundId =
          idempotencyKey === undefined ? newId() : hashedId("refund", idIn(key), idempotencyKey);
        const decision = refundOf({ ...refund, refundId, issue }, account);
        const orderId = account.order?.id;
        const isGrant = refund.grant !== undefined && orderId !== undefined;
        if (decision.kind === "repeated") {
          const isSame =
            !isGrant ||
            ((await hasLines(unit.db, { orderId, refundId }, lines)) &&
              (await refundedReturn(unit, { orderId, refundId })) === returnId);
          return isSame ? { kind: "repeated", refundId, account } : { kind: "key-reused" };
        }
        if (decision.kind !== "recorded") return decision;
        if (isGrant) {
          const order = await findOrder(unit.db, orderId);
          if (order === undefined) return { kind: "not-found" };
          if (order.erased_at !== null) return { kind: "erased" };
          const errors = await grantErrors(unit.db, order, lines, returnId);
          if (errors.length > 0) return { kind: "wrong-lines", errors };
          if (returnId !== undefined) {
            const outcome = await refundReturn(unit, { orderId, returnId, refundId, lines });
            if (outcome.kind !== "moved") return outcome;
          }
        }
        const { entries } = decision;
        const change = { ...found, kind: "refunded", entries, lines, returnId, by } as const;
        return { kind: "recorded", refundId, account: await store(unit, change, dependencies) };
      }),
    /** Records that a refund did not arrive. The payment issue about its money opens again. */
    reverse: ({ account: target, refundId, reason, by }: ReversalToRecord) =>
      database.inTransaction(async (unit): Promise<RefundReversalOutcome> => {
        const found = await lockAccount(unit, target);
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
  readonly account: StoredAccount;
}

async function lockAccount(
  unit: UnitOfWork,
  { orderId, issueId }: RefundedAccount,
): Promise<LockedAccount | { readonly kind: "not-found" | "unknown-issue" }> {
  const issue = issueId === undefined ? undefined : await findIssue(unit.db, issueId);
  if (orderId !== undefined && issueId !== undefined && issue?.orderId !== orderId)
    return { kind: "unknown-issue" };
  const key = orderId === undefined ? issue && accountKeyOf(issue) : { orderId };
  if (key === undefined) return { kind: "not-found" };
  await unit.lock(...new Set([idIn(key), issue?.loanId ?? idIn(key)]));
  return { kind: "found", key, issue, account: await readAccount(unit.db, key) };
}

/** The id of the return that a refund was for. */
async function refundedReturn(
  { db }: UnitOfWork,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
): Promise<string | undefined> {
  const returns = await findReturnsOfOrder(db, orderId);
  return returns.find(({ refund_id }) => refund_id === refundId)?.id;
}

interface RefundChange {
  readonly kind: "refunded" | "refund-reversed";
  readonly key: AccountKey;
  readonly account: StoredAccount;
  readonly entries: readonly NewEntry[];
  readonly lines?: readonly GrantedLine[];
  readonly returnId?: string | undefined;
  readonly by: Actor;
  readonly reason?: string | undefined;
}

async function store(
  unit: UnitOfWork,
  { kind, key, account, entries, lines = [], returnId, by, reason }: RefundChange,
  { appendEntries, amendOrder, emitEvents, issues, restockLines, issueReceipts }: Dependencies,
): Promise<StoredAccount> {
  const added = await appendEntries(unit, entries, by);
  const entry = added.find((one) => one.kind === kind);
  const orderId = account.order?.id;
  if (entry === undefined) throw new Error(`no ${kind} entry for a refund`);
  const { amount: cents, currency, method, reference, refundId = "", grant } = entry;
  if (orderId !== undefined) {
    // All names are locked by now: items come after them.
    const stored = await storeRefundLines(unit, { orderId, refundId }, lines, restockLines);
    if (kind === "refunded") await issueReceipts(unit, orderId, refundId);
    const granted = grant === undefined ? {} : { grant, lines: stored };
    const returned = returnId === undefined ? {} : { return_id: returnId };
    const refund = { refund_id: refundId, cents, currency, ...granted, ...returned };
    await amendOrder(unit, { orderId, kind, by, reason, data: { ...refund, method, reference } });
    const after = balancesOf({ ...account, entries: [...account.entries, ...added] });
    const refund_due = balanceIn(after, currency).refundDue;
    const type = kind === "refunded" ? "order.refunded" : "order.refund_reversed";
    await emitEvents(unit, [{ type, subject: orderId, data: { ...refund, refund_due } }]);
  }
  // Such as `$45.00 by cash, reference 17`.
  const note = refundText({ cents, currency, method: method ?? "", reference });
  return issues.update(unit, key, by, kind === "refunded" ? { refundNote: note } : {});
}
