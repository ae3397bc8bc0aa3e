import type { Lent } from "./rules-amounts.ts";
import type { Consequences, Known, NewIssue, StoredLoan } from "./rules-facts.ts";

// What the rules about reports share.

export function consequences(
  kind: Consequences["kind"],
  some: Partial<Omit<Consequences, "kind">> = {},
): Consequences {
  return {
    kind,
    store: undefined,
    move: undefined,
    receipt: undefined,
    entries: [],
    notices: [],
    futureTime: undefined,
    ...some,
  };
}

/** The parts of a notice that are not the same for most. */
type NoticeValues = Pick<NewIssue, "loanId" | "orderId" | "detail"> & Partial<NewIssue>;

export function notice(kind: NewIssue["kind"], values: NoticeValues): NewIssue {
  return { withoutMail: false, isNew: false, oncePerLoan: false, ...values, kind };
}

export function provenForever(
  loan: Pick<StoredLoan, "wasExtended"> & Pick<Known["loan"], "state">,
  stored: StoredLoan | undefined,
): Pick<StoredLoan, "wasActive" | "wasExtended"> {
  return {
    wasActive: loan.state === "active" || stored?.wasActive === true,
    wasExtended: loan.wasExtended || stored?.wasExtended === true,
  };
}

export function kindOf({ refusal }: Pick<StoredLoan, "refusal">): Consequences["kind"] {
  return refusal === undefined ? "bound" : "refused";
}

/** The loan to store; `undefined` if it is stored like this already. */
export function changed(stored: StoredLoan | undefined, store: StoredLoan): StoredLoan | undefined {
  return JSON.stringify(stored, fields) === JSON.stringify(store, fields) ? undefined : store;
}

/** The fields of a loan that are compared, in a fixed sequence. */
const fields: (keyof StoredLoan)[] = [
  "id",
  "orderId",
  "namedOrderId",
  "providerStatus",
  "state",
  "wasActive",
  "wasExtended",
  "cents",
  "currency",
  "amountText",
  "refusal",
  "presumedExtensionAt",
  "paidOutAt",
  "updatedAt",
];

/** A loan as it is reported; what only a payout decides stays as it was stored. */
export function reported({ loan, stored, order, now }: Known, lent: Lent): StoredLoan {
  return {
    id: loan.id,
    orderId: stored?.orderId ?? order?.id,
    namedOrderId: loan.orderId,
    providerStatus: loan.providerStatus,
    state: loan.state,
    ...provenForever(loan, stored),
    ...lent,
    refusal: stored?.refusal,
    presumedExtensionAt: stored?.presumedExtensionAt,
    paidOutAt: stored?.paidOutAt,
    boundAt: stored?.boundAt ?? now,
    updatedAt: Math.max(loan.updatedAt, stored?.updatedAt ?? 0),
  };
}
