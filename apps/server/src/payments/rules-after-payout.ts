import { currency, principalOf, sumOf } from "@keepsats/domain";
import { type Lent, lentBy } from "./rules-amounts.ts";
import { changed, consequences, kindOf, notice, reported } from "./rules-consequences.ts";
import {
  type Consequences,
  type Known,
  type NewEntry,
  type NewIssue,
  newEntry,
  oppositeOf,
  type StoredLoan,
} from "./rules-facts.ts";
import {
  changedDetail,
  describeLent,
  describeName,
  unknownAfterPayoutDetail,
} from "./rules-sentences.ts";

// What the provider changes after a payout.

/** A report about a loan that was paid out before. Only `ended` takes the payout back. */
export function afterPayout(known: Known, stored: StoredLoan): Consequences {
  const { loan, order } = known;
  // The amount counts only while the loan is reported as paid out.
  const lent = loan.state === "paid-out" ? lentBy(loan, order?.total) : stored;
  const { cents, currency: code, amountText } = lent;
  const isSettled = loan.state === "paid-out" || loan.state === "ended";
  const store = {
    ...reported(known, { cents, currency: code, amountText }),
    orderId: stored.orderId,
    state: isSettled ? loan.state : stored.state,
  };
  return consequences(kindOf(stored), {
    store: changed(stored, store),
    entries: entriesAfterPayout(known, stored, lent),
    notices: noticesAfterPayout(known, stored, lent).map(({ kind, detail }) =>
      notice(kind, { loanId: loan.id, orderId: stored.orderId, detail, isNew: true }),
    ),
  });
}

/**
 * The entries of a later report. An ended loan reverses its payout; one that is paid out again is
 * received again; another amount corrects it. A loan that is active again, or in a dispute, changes
 * no sum.
 */
export function entriesAfterPayout(
  { loan, entries }: Known,
  stored: StoredLoan,
  lent: Lent,
): NewEntry[] {
  const values = { loanId: loan.id, orderId: stored.orderId };
  const principal = principalOf(entries, loan.id);
  const now = {
    amount: lent.cents ?? 0,
    unknown: lent.cents === undefined ? 1 : 0,
    currency: lent.currency,
  };
  switch (loan.state) {
    case "active":
    case "unknown":
      return [];
    case "ended": {
      if (stored.state === "ended" || principal === undefined) return [];
      const { currency: code } = principal;
      return [newEntry("reversed", { ...oppositeOf(principal), currency: code, ...values })];
    }
    case "paid-out":
      break;
  }
  if (stored.state === "ended") return [newEntry("received", { ...now, ...values })];
  if (!isOtherAmount(stored, lent)) return [];
  const corrections =
    principal?.currency === now.currency
      ? [
          {
            ...now,
            amount: now.amount - principal.amount,
            unknown: now.unknown - principal.unknown,
          },
        ]
      : [
          ...(principal === undefined
            ? []
            : [{ ...oppositeOf(principal), currency: principal.currency }]),
          now,
        ];
  return corrections
    .filter(({ amount, unknown }) => amount !== 0 || unknown !== 0)
    .flatMap((correction) => [
      newEntry("corrected", { ...correction, ...values }),
      ...lessWaived(correction, entries, values),
    ]);
}

/** What a loan brings more was waived for it if staff accepted it, so it is waived no more. */
function lessWaived(
  correction: Pick<NewEntry, "amount" | "currency">,
  entries: Known["entries"],
  values: Pick<NewEntry, "loanId" | "orderId">,
): NewEntry[] {
  const own = entries.filter(
    ({ loanId, orderId }) => loanId === values.loanId && orderId === values.orderId,
  );
  const less = Math.min(correction.amount, sumOf(own, ["waived"]));
  if (correction.currency !== currency.code || less <= 0) return [];
  return [newEntry("waived", { amount: -less, currency: currency.code, ...values })];
}

function isOtherAmount(stored: StoredLoan, { cents, currency: code }: Lent): boolean {
  return stored.cents !== cents || stored.currency !== code;
}

/** What to tell staff about a later report, if it says something new. */
function noticesAfterPayout(
  known: Known,
  stored: StoredLoan,
  lent: Lent,
): Pick<NewIssue, "kind" | "detail">[] {
  const { loan } = known;
  const isNewStatus = loan.providerStatus !== stored.providerStatus;
  const changes = changesOf(known, stored, lent);
  // One paid status after another is how a loan goes on.
  const isPaidOn = loan.state === "paid-out" && stored.state === "paid-out";
  const isNews =
    (isNewStatus && !isPaidOn) || isNamedOtherwise(known, stored) || isOtherAmount(stored, lent);
  const dispute = loan.isDisputed ? "disputed" : "unrecognized";
  return [
    ...(isNews && changes.length > 0
      ? [{ kind: "changed-after-payout" as const, detail: changedDetail(changes) }]
      : []),
    ...(isNewStatus && loan.state === "unknown"
      ? [{ kind: dispute, detail: unknownAfterPayoutDetail(loan, stored) } as const]
      : []),
  ];
}

/** All that is not as it was when the loan was paid out. */
function changesOf({ loan, order }: Known, stored: StoredLoan, lent: Lent): string[] {
  const changes: string[] = [];
  if (loan.state === "ended" || loan.state === "active")
    changes.push(`its status is ${loan.providerStatus}`);
  if (loan.state === "paid-out" && stored.state === "ended") changes.push("it is paid out again");
  if (isOtherAmount(stored, lent)) changes.push(describeLent(loan));
  // Without an order of the shop, it makes no difference which other order it names.
  if (order !== undefined && loan.orderId !== stored.orderId)
    changes.push(`it names ${describeName(loan)}`);
  return changes;
}

function isNamedOtherwise({ loan, order }: Known, { namedOrderId }: StoredLoan): boolean {
  return order !== undefined && loan.orderId !== namedOrderId;
}
