import type { IssueKind } from "@keepsats/protocol";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import {
  type Consequences,
  consequencesOf,
  type ReportFacts,
  type StoredLoan,
} from "../../apps/server/src/modules/payments/rules/index.ts";
import { aLoan } from "./builders.ts";
import { entriesInShort, entry, ORDER, received, stored } from "./loan-accounts.ts";

// Reports of the provider and what they mean, for the tests of the rules about money. The order costs
// $12.00.

export const OTHER_ORDER = "bbbbbbbb-0000-4000-8000-000000000000";
export const NOW = 10_000;

export const loan = (state: StoredLoan["state"], changes: Partial<Loan> = {}) =>
  aLoan({ cents: 1_200, orderId: ORDER, state, providerStatus: `now ${state}`, ...changes });
export const disputed = (changes: Partial<Loan> = {}) =>
  loan("unknown", { isDisputed: true, providerStatus: "InDispute", ...changes });

export const inEuros = { otherAsset: "EUR" } as const;
export const ofUnknownAmount = {
  cents: undefined,
  exactCents: undefined,
  amountText: "1e2",
} as const;

export interface ConsequencesInShort {
  readonly kind: Consequences["kind"];
  /** Of the loan as it is stored now; without a state, it stays as it was. */
  readonly state?: StoredLoan["state"] | undefined;
  readonly refusal?: StoredLoan["refusal"];
  /** The new status of the order, or `record-failed-attempt`. */
  readonly moved?: string | undefined;
  /** The new entries, as {@link entriesInShort} writes them. */
  readonly entries?: readonly string[] | undefined;
  /** The kinds of the new payment issues. */
  readonly issues?: readonly IssueKind[] | undefined;
}

/** Has no empty lists, so that an expectation names only what a report changes. */
export function consequencesInShort(consequences: Consequences): ConsequencesInShort {
  const { kind, storedLoan, move, entries, newIssues } = consequences;
  return {
    kind,
    state: storedLoan?.state,
    refusal: storedLoan?.refusal,
    moved: move?.kind === "status" ? move.to : move?.kind,
    entries: entries.length > 0 ? entriesInShort(entries) : undefined,
    issues: newIssues.length > 0 ? newIssues.map((issue) => issue.kind) : undefined,
  };
}

export type Facts = Partial<Omit<ReportFacts, "order">> & { status?: string; total?: number };

export function consequences(report: Loan, facts: Facts = {}): Consequences {
  const { status = "Pending", total = 1_200, ...known } = facts;
  const orderId =
    known.stored === undefined ? report.orderId : (known.stored.orderId ?? report.orderId);
  return consequencesOf({
    loan: report,
    presentedFor: undefined,
    stored: undefined,
    orderId,
    order: orderId === ORDER ? { id: ORDER, status, total } : undefined,
    others: [],
    entries: [],
    now: NOW,
    ...known,
  });
}

export const wasPaid = {
  stored: stored("paid-out"),
  entries: [received()],
  status: "PaymentProcessed",
};
export const wasReversed = {
  stored: stored("ended", { paidOutAt: 1 }),
  entries: [received(), entry("reversed", -1_200)],
  status: "PaymentProcessed",
};
export const wasUnderpaid = {
  stored: stored("paid-out", { cents: 720, refusal: "underpaid" }),
  entries: [received(720)],
} as const;
