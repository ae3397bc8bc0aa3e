import { currency } from "@keepsats/domain";
import { isEnough, type Lent, lentBy } from "./rules-amounts.ts";
import { changed, consequences, notice, reported } from "./rules-consequences.ts";
import type { Consequences, Known, Move, NewIssue, StoredLoan } from "./rules-facts.ts";
import { isHope } from "./rules-issues.ts";
import { shortfallDetail, unfitDetail, unknownStateDetail } from "./rules-sentences.ts";

/** A loan that has never been paid out. */
export function beforePayout(
  known: Known,
  state: Exclude<StoredLoan["state"], "paid-out">,
): Consequences {
  const { loan, stored, order, others } = known;
  if (order === undefined) return consequences("ignored");
  const lent = lentBy(loan, order.total);
  if (stored === undefined && !isEnough(lent, order.total, others))
    return consequences("refused", { notices: [foreseen(known, order.total, lent)] });
  // An unknown status proves nothing, so it leaves the earlier state.
  const next = state === "unknown" ? (stored?.state ?? "unknown") : state;
  return consequences("bound", {
    store: changed(stored, { ...reported(known, lent), state: next }),
    move: stored?.state === next ? undefined : moveFor(next, known),
    notices: state === "unknown" ? [unknownState(known)] : [],
  });
}

/** A loan that will not pay its order. The merchant gets an email once there is money. */
function foreseen({ loan, orderId }: Known, total: number, lent: Lent): NewIssue {
  const kind = lent.currency === currency.code ? "underpaid" : "wrong-currency";
  const detail =
    loan.unfit === undefined ? shortfallDetail(lent.cents, total) : unfitDetail(loan.unfit);
  return notice(kind, { loanId: loan.id, orderId, detail, withoutMail: true });
}

function unknownState({ loan, orderId }: Known): NewIssue {
  const kind = loan.isDisputed ? "disputed" : "unrecognized";
  return notice(kind, { loanId: loan.id, orderId, detail: unknownStateDetail(loan) });
}

/** The move of an order when a loan that was never paid out has another state than before. */
function moveFor(state: StoredLoan["state"], { order, others }: Known): Move | undefined {
  const status = order?.status;
  switch (state) {
    case "active":
      return status === "Pending" ? { kind: "to", to: "PaymentProcessing" } : undefined;
    case "ended":
      if (others.some(isHope)) return undefined;
      if (status === "Pending") return { kind: "note-attempt-over" };
      if (status !== "PaymentProcessing") return undefined;
      return { kind: "to", to: "Pending", attemptOver: true };
    case "paid-out":
    case "unknown":
      return undefined;
  }
}
