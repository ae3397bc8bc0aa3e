import { type IssueKind, issueKinds, type PaymentIssue } from "@keepsats/protocol";
import { type Books, idOfIssue, refundDueFor, type StoredIssue } from "../payments/index.ts";

/**
 * Payment issues in the words of the merchant API; those of unknown kinds, which a newer version
 * may have stored, are left out.
 */
export function knownIssues(rows: readonly StoredIssue[], books?: Books): PaymentIssue[] {
  return rows.flatMap((row) => issueAnswer(row, books) ?? []);
}

/**
 * A payment issue in the words of the merchant API, before it is encoded; `undefined` if its kind
 * is not known.
 *
 * @param books those of its order; without them the answer does not have the refund due
 */
export function issueAnswer(row: StoredIssue, books?: Books): PaymentIssue | undefined {
  const kind: IssueKind | undefined = issueKinds.find((known) => known === row.kind);
  if (kind === undefined) return undefined;
  const { loan_id, order_id, order_status, customer_name, detail, cents, seen_at } = row;
  const resolution = resolutionOf(row);
  const refundDue =
    books === undefined || resolution !== null
      ? undefined
      : refundDueFor({ loanId: loan_id, kind }, books);
  return {
    id: idOfIssue({ loanId: loan_id, orderId: order_id, kind }),
    loan_id,
    order_id: order_id === "" ? null : order_id,
    order_status,
    customer_name: customer_name || null,
    kind,
    detail,
    amount: cents,
    ...(refundDue === undefined ? {} : { refund_due: refundDue }),
    seen_at,
    resolution,
  };
}

function resolutionOf({ resolution, resolution_note, resolved_by, resolved_at }: StoredIssue) {
  if (resolution === null || resolved_at === null) return null;
  return { kind: resolution, note: resolution_note ?? "", by: resolved_by ?? "", at: resolved_at };
}
