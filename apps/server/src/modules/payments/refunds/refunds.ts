import {
  balanceIn,
  balancesOf,
  type FieldError,
  lineErrors,
  piecesLeft,
  piecesOfReturns,
  refundText,
} from "@keepsats/domain";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { hashedId } from "../../../platform/database/hashed-id.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal } from "../../../platform/refusal.ts";
import {
  findOrder,
  findRefundLinesOfOrder,
  findReturnsOfOrder,
  type GrantedLine,
  type Order,
  type Orders,
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
  refundIdReused,
  refundOf,
  refundReversalOf,
  UNKNOWN_REFUND,
} from "../rules/index.ts";

/** The account that money was refunded from. It belongs to an order or to a payment issue. */
type RefundedAccount =
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

export interface ReversalToRecord extends Pick<RefundToRecord, "account" | "by"> {
  readonly refundId: string;
  readonly reason: string;
}

/**
 * `repeated`: an earlier request with the same key recorded it. `undefined`: there is no such order
 * or payment issue. All but `recorded` store nothing.
 */
type RefundOutcome =
  | {
      readonly kind: "recorded" | "repeated";
      readonly refundId: string;
      /** The account after the refund. */
      readonly account: StoredAccount;
    }
  | Refusal
  | undefined;

const erased = new Refusal("not_grantable", {
  detail: "The personal data of this order is erased, so no refund can be granted.",
});

type Dependencies = Pick<Platform, "database" | "newId"> & {
  readonly orders: Pick<Orders, "amendOrder" | "restockLines" | "returns">;
  readonly appendEntries: AppendEntries;
  readonly issues: IssueWriter;
  readonly receipts: Pick<Receipts, "issueMissing">;
};

export type Refunds = ReturnType<typeof createRefunds>;

export function createRefunds(dependencies: Dependencies) {
  const { database, newId, orders } = dependencies;
  return {
    /**
     * Concurrent refunds of one account wait for one another, so together they cannot exceed the
     * refundable amount. A payment issue whose money was refunded is resolved.
     */
    record: (request: RefundToRecord) =>
      database.inTransaction(async (unit): Promise<RefundOutcome> => {
        const { account: target, idempotencyKey, by, lines = [], returnId, ...refund } = request;
        const found = await lockAccount(unit, target);
        if (found === undefined || found instanceof Refusal) return found;
        const { key, issue, account } = found;
        if ("orderId" in key && account.order === undefined) return undefined;
        const refundId =
          idempotencyKey === undefined ? newId() : hashedId("refund", idIn(key), idempotencyKey);
        const decision = refundOf({ ...refund, refundId, issue }, account);
        const orderId = account.order?.id;
        const isGrant = refund.grant !== undefined && orderId !== undefined;
        if (decision.kind === "repeated") {
          const isSame =
            !isGrant || (await isSameGrant(unit.db, { orderId, refundId }, lines, returnId));
          return isSame ? { kind: "repeated", refundId, account } : refundIdReused;
        }
        if (decision.kind === "refused") return decision;
        if (isGrant) {
          const order = await findOrder(unit.db, orderId);
          if (order === undefined) return undefined;
          if (order.erased_at !== null) return erased;
          const errors = await grantErrors(unit.db, order, lines, returnId);
          if (errors.length > 0) return new Refusal("invalid", { errors });
          if (returnId !== undefined) {
            const ofReturn = { orderId, returnId, refundId, lines };
            const outcome = await orders.returns.markRefunded(unit, ofReturn);
            if (outcome.kind === "refused") return outcome;
          }
        }
        const { entries } = decision;
        const change = { ...found, kind: "refunded", entries, lines, returnId, by } as const;
        return { kind: "recorded", refundId, account: await store(unit, change, dependencies) };
      }),
    /** Records that a refund did not arrive. The payment issue about its money opens again. */
    reverse: ({ account: target, refundId, reason, by }: ReversalToRecord) =>
      database.inTransaction(async (unit): Promise<StoredAccount | Refusal> => {
        const found = await lockAccount(unit, target);
        if (found === undefined || found instanceof Refusal)
          return new Refusal("not_found", { detail: UNKNOWN_REFUND });
        const decision = refundReversalOf(refundId, found.account);
        if (decision.kind === "refused") return decision;
        const entries = decision.entries.map((entry) => ({ ...entry, reason }));
        const change = { ...found, kind: "refund-reversed", entries, by, reason } as const;
        return store(unit, change, dependencies);
      }),
  };
}

/** @returns `undefined` if there is no such payment issue */
async function lockAccount(unit: UnitOfWork, { orderId, issueId }: RefundedAccount) {
  const issue = issueId === undefined ? undefined : await findIssue(unit.db, issueId);
  if (orderId !== undefined && issueId !== undefined && issue?.orderId !== orderId) {
    const message = "is not a payment issue of this order";
    return new Refusal("invalid", { errors: [{ path: "issue_id", message }] });
  }
  const key = orderId === undefined ? issue && accountKeyOf(issue) : { orderId };
  if (key === undefined) return undefined;
  await unit.lock(...new Set([idIn(key), issue?.loanId ?? idIn(key)]));
  return { key, issue, account: await readAccount(unit.db, key) };
}

interface RefundChange extends Pick<RefundToRecord, "lines" | "returnId" | "by" | "reason"> {
  readonly kind: "refunded" | "refund-reversed";
  readonly key: AccountKey;
  readonly account: StoredAccount;
  readonly entries: readonly NewEntry[];
}

async function store(
  unit: UnitOfWork,
  { kind, key, account, entries, lines = [], returnId, by, reason }: RefundChange,
  { appendEntries, issues, receipts, orders: { amendOrder, restockLines } }: Dependencies,
): Promise<StoredAccount> {
  const added = await appendEntries(unit, entries, by);
  const entry = added.find((one) => one.kind === kind);
  const orderId = account.order?.id;
  if (entry === undefined) throw new Error(`no ${kind} entry for a refund`);
  const { amount: cents, currency, method, reference, refundId = "", grant } = entry;
  if (orderId !== undefined) {
    // All names are locked by now: items come after them.
    const stored = await storeRefundLines(unit, { orderId, refundId }, lines, restockLines);
    if (kind === "refunded") await receipts.issueMissing(unit, orderId, refundId);
    const granted = grant === undefined ? {} : { grant, lines: stored };
    const returned = returnId === undefined ? {} : { return_id: returnId };
    const refund = { refund_id: refundId, cents, currency, ...granted, ...returned };
    const after = balancesOf({ ...account, entries: [...account.entries, ...added] });
    const refund_due = balanceIn(after, currency).refundDue;
    const type = kind === "refunded" ? "order.refunded" : "order.refund_reversed";
    const data = { ...refund, method, reference };
    const emits = { type, data: { ...refund, refund_due } } as const;
    await amendOrder(unit, { orderId, kind, by, reason, data, emits });
  }
  // Such as `$45.00 by cash, reference 17`.
  const note = refundText({ cents, currency, method: method ?? "", reference });
  return issues.update(unit, key, by, kind === "refunded" ? note : undefined);
}

/**
 * The lines that name another item, or more pieces than earlier refunds and returns have left: the
 * pieces of a return are refunded from it, and end it.
 *
 * @param returnId the return that is refunded
 */
async function grantErrors(
  db: Queries,
  { id, items }: Pick<Order, "id" | "items">,
  lines: readonly GrantedLine[],
  returnId: string | undefined,
): Promise<FieldError[]> {
  const refunded = await findRefundLinesOfOrder(db, id);
  const returning = returnId === undefined ? piecesOfReturns(await findReturnsOfOrder(db, id)) : [];
  const taken = [...refunded, ...returning];
  const left = items.map((item) => ({ item_id: item.id, quantity: piecesLeft(item, taken) }));
  return lineErrors(lines, left, (itemId) => items.some((item) => item.id === itemId));
}

/**
 * Whether a repeated request names the return and the lines that the refund was recorded with, and
 * restocks as many pieces. Of an item without a stock count no piece was restocked, so its number is
 * not compared.
 */
async function isSameGrant(
  db: Queries,
  { orderId, refundId }: { readonly orderId: string; readonly refundId: string },
  lines: readonly GrantedLine[],
  returnId: string | undefined,
): Promise<boolean> {
  const returns = await findReturnsOfOrder(db, orderId);
  if (returns.find(({ refund_id }) => refund_id === refundId)?.id !== returnId) return false;
  const refunded = await findRefundLinesOfOrder(db, orderId);
  const stored = refunded.filter(({ refund_id }) => refund_id === refundId);
  return (
    lines.length === stored.length &&
    lines.every(({ item_id, quantity, restock = 0 }) =>
      stored.some(
        (line) =>
          line.item_id === item_id &&
          line.quantity === quantity &&
          (line.restocked === restock || line.restocked === 0),
      ),
    )
  );
}
