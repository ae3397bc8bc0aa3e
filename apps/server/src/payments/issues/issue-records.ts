import { currency } from "@keepsats/domain";
import type { IssueKind } from "@keepsats/protocol";
import type { Clock } from "../../clock.ts";
import type { UnitOfWork } from "../../db/database.ts";
import type { Actor, AmendOrder } from "../../orders/index.ts";
import type { Announce, Announcement } from "../../outbox/outbox.ts";
import { nameOf } from "../journal/journal-repository.ts";
import type { ExpectedIssue, KnownIssue } from "../rules.ts";
import { idOfIssue, openIssues, reopenIssue, storeResolution } from "./issue-repository.ts";

/** Called for each payment issue once it is stored as open. */
export type OnIssue = (issue: ExpectedIssue) => void;

/** A payment issue to store as open. */
export interface OpenedIssue extends ExpectedIssue {
  /** Whether a resolved one opens again although its detail is the same. */
  readonly reopen: boolean;
  /** The merchant gets no email about it. */
  readonly withoutMail: boolean;
  /** The money that must be decided about, in cents; `null` if nobody knows how much it is. */
  readonly openAmount: number | null;
  readonly currency: string;
}

/** How a payment issue is resolved. */
export interface IssueResolution {
  readonly resolution: string;
  readonly note: string;
  readonly by: Actor;
}

/**
 * Stores payment issues, and how they are resolved, inside a transaction that has locked their
 * loans and orders. Each change is announced; what staff do is also an event of the order.
 */
export interface IssueRecords {
  /** Stores payment issues as open; those that are open already and have not changed stay. */
  open(unit: UnitOfWork, issues: readonly OpenedIssue[]): Promise<void>;
  resolve(unit: UnitOfWork, issue: KnownIssue, how: IssueResolution): Promise<void>;
  reopen(
    unit: UnitOfWork,
    issue: KnownIssue,
    how: { readonly note: string; readonly by: Actor },
  ): Promise<void>;
}

interface Dependencies {
  readonly now: Clock;
  readonly announce: Announce;
  readonly amendOrder: AmendOrder;
  readonly onIssue: OnIssue;
}

export function createIssueRecords({
  now,
  announce,
  amendOrder,
  onIssue,
}: Dependencies): IssueRecords {
  return {
    async open(unit, issues) {
      if (issues.length === 0) return;
      const changed = await openIssues(unit, issues, now());
      const opened = issues.filter((issue) => changed.has(idOfIssue(issue)));
      await announce(unit, opened.map(openedAnnouncement));
      for (const { kind, loanId, orderId, detail } of opened)
        unit.afterCommit(() => onIssue({ kind, loanId, orderId, detail }));
    },
    async resolve(unit, issue, { resolution, note, by }) {
      await storeResolution(unit, issue.id, { resolution, note, by: nameOf(by), at: now() });
      const { orderId } = issue;
      if (by.kind === "merchant" && orderId !== undefined) {
        const data = { loan_id: issue.loanId, issue_kind: issue.kind, resolution };
        await amendOrder(unit, { orderId, kind: "issue-resolved", by, reason: note, data });
      }
      await announce(unit, [issueAnnouncement("payment_issue.resolved", issue, { resolution })]);
    },
    async reopen(unit, issue, { note, by }) {
      await reopenIssue(unit, issue.id, now());
      const { orderId } = issue;
      if (orderId !== undefined) {
        const data = { loan_id: issue.loanId, issue_kind: issue.kind };
        await amendOrder(unit, { orderId, kind: "issue-reopened", by, reason: note, data });
      }
      await announce(unit, [issueAnnouncement("payment_issue.reopened", issue)]);
    },
  };
}

function openedAnnouncement({ openAmount, withoutMail, ...issue }: OpenedIssue): Announcement {
  return issueAnnouncement("payment_issue.opened", issue, {
    open_amount: openAmount,
    currency: issue.currency,
    ...(withoutMail ? { without_mail: true } : {}),
  });
}

/** An issue without money of its own, to open. */
export function withoutMoney(
  issue: ExpectedIssue,
  { reopen = false, withoutMail = false } = {},
): OpenedIssue {
  return { ...issue, reopen, withoutMail, openAmount: 0, currency: currency.code };
}

type IssueType = "payment_issue.opened" | "payment_issue.resolved" | "payment_issue.reopened";

/**
 * The announcement of a payment issue. Its subject is its order, or its loan if it has no order.
 */
function issueAnnouncement(
  type: IssueType,
  issue: {
    readonly kind: IssueKind | string;
    readonly loanId: string;
    readonly orderId?: string | undefined;
  },
  further: Announcement["data"] = {},
): Announcement {
  const { loanId, orderId, kind } = issue;
  const data = {
    issue_id: idOfIssue({ loanId, orderId, kind }),
    loan_id: loanId,
    kind,
    ...further,
  };
  return { type, subject: orderId ?? loanId, data };
}
