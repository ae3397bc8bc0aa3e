import { type Cents, shopCurrency } from "@keepsats/domain";
import type { Resolution } from "@keepsats/protocol";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { DomainEvent, EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Orders } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import {
  type AccountKey,
  type AppendEntries,
  idsOf,
  nameOf,
  readAccount,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import {
  extensionEntries,
  issueChanges,
  type KnownIssue,
  moveOnceDecided,
  type NewIssue,
} from "../rules/index.ts";
import {
  findIssues,
  idOfIssue,
  openIssue,
  reopenIssue,
  storeResolution,
} from "./issue-repository.ts";

export type IssueWriter = ReturnType<typeof createIssueWriter>;

/**
 * Stores payment issues inside a transaction that has locked their loans and orders. Each change is
 * emitted; what staff do is also an event of the order.
 */
export function createIssueWriter({
  now,
  emitEvents,
  amendOrder,
  changeStatuses,
  appendEntries,
  overpaymentLimit,
  onIssue,
}: Pick<Platform, "now"> &
  Pick<Orders, "amendOrder" | "changeStatuses"> & {
    readonly emitEvents: EmitEvents;
    readonly appendEntries: AppendEntries;
    readonly overpaymentLimit?: Cents | undefined;
    /** Called for each payment issue once it is stored as open. */
    readonly onIssue: (issue: NewIssue) => void;
  }) {
  /** Emits an event for each issue that is new, open again or changed. */
  async function open(unit: UnitOfWork, issues: readonly NewIssue[]): Promise<void> {
    for (const issue of issues) {
      if (!(await openIssue(unit, issue, now()))) continue;
      await emitEvents(unit, [openedEvent(issue)]);
      unit.afterCommit(() => onIssue(issue));
    }
  }

  /** @param resolution `undefined` reopens the issue */
  async function decide(
    unit: UnitOfWork,
    issue: KnownIssue,
    { resolution, note, by }: { resolution: Resolution | undefined; note: string; by: Actor },
  ): Promise<void> {
    const { id, orderId, loanId: loan_id, kind: issue_kind } = issue;
    const isReopened = resolution === undefined;
    if (isReopened) await reopenIssue(unit, id, now());
    else await storeResolution(unit, id, { resolution, note, by: nameOf(by), at: now() });
    const resolved = isReopened ? {} : { resolution };
    if (by.kind === "staff" && orderId !== undefined) {
      const kind = isReopened ? "issue-reopened" : "issue-resolved";
      const data = { loan_id, issue_kind, ...resolved };
      await amendOrder(unit, { orderId, kind, by, reason: note, data });
    }
    const type = isReopened ? "payment_issue.reopened" : "payment_issue.resolved";
    await emitEvents(unit, [issueEvent(type, issue, resolved)]);
  }

  /**
   * Brings an account in line with its journal: nets its extensions, and opens and resolves the
   * payment issues about its money. Once staff have decided about the money that did not pay the
   * order, the customer can pay again. Call it in the transaction that has changed a loan, an entry
   * or the status of the order.
   *
   * @param by who made the change; a payment issue that a refund ends is resolved by them, any
   *   other by the shop
   * @param refundNote the note of the payment issues that a refund resolves
   * @returns the account with its new entries
   */
  async function update(
    unit: UnitOfWork,
    key: AccountKey,
    by: Actor,
    refundNote?: string,
  ): Promise<StoredAccount> {
    const stored = await readAccount(unit.db, key);
    const byShop = { kind: "shop" } as const;
    const nettedBy = by.kind === "provider" ? by : byShop;
    const added = await appendEntries(unit, extensionEntries(stored), nettedBy);
    const account = { ...stored, entries: [...stored.entries, ...added] };
    const known = await findIssues(unit.db, idsOf([key]));
    const changes = issueChanges(account, known, overpaymentLimit);
    for (const { issue, resolution, note } of changes.resolve) {
      const isRefunded = resolution === "refunded";
      const how = isRefunded ? { note: refundNote ?? note, by } : { note, by: byShop };
      await decide(unit, issue, { resolution, ...how });
    }
    await open(unit, changes.open);
    const { order } = account;
    const move = moveOnceDecided(account);
    if (order !== undefined && move !== undefined) {
      const { to, attemptFailed = false } = move;
      await changeStatuses(unit, [{ orderId: order.id, to, by: byShop, attemptFailed }]);
    }
    return account;
  }

  return { open, decide, update };
}

function openedEvent({ openAmount = 0, withoutEmail, ...issue }: NewIssue): DomainEvent {
  return issueEvent("payment_issue.opened", issue, {
    open_amount: openAmount,
    currency: issue.currency ?? shopCurrency.code,
    // The name in events that are stored already.
    ...(withoutEmail === true ? { without_mail: true } : {}),
  });
}

/** The event of a payment issue. Its subject is its order, or its loan if it has no order. */
function issueEvent(
  type: "payment_issue.opened" | "payment_issue.resolved" | "payment_issue.reopened",
  { loanId, orderId, kind }: Pick<KnownIssue, "loanId" | "orderId" | "kind">,
  further: DomainEvent["data"],
): DomainEvent {
  const issue_id = idOfIssue({ loanId, orderId, kind });
  return {
    type,
    subject: orderId ?? loanId,
    data: { issue_id, loan_id: loanId, kind, ...further },
  };
}
