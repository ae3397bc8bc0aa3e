import {
  awaitsPayment,
  balancesOf,
  currency,
  hasOpenMoney,
  isOrderStatus,
  principalOf,
} from "@keepsats/domain";
import { entriesAfterPayout } from "./rules-after-payout.ts";
import { isEnough, type Lent, lentBy } from "./rules-amounts.ts";
import { changed, consequences, kindOf, provenForever, reported } from "./rules-consequences.ts";
import { isPresumedExtension } from "./rules-extensions.ts";
import {
  type Consequences,
  type Known,
  type LoanRefusal,
  type NewEntry,
  newEntry,
  oppositeOf,
  type StoredLoan,
} from "./rules-facts.ts";

/** The first report that a loan was paid out. */
export function firstPayout(known: Known): Consequences {
  const { loan, order, now } = known;
  const lent = lentBy(loan, order?.total);
  const paidAt = loan.updatedAt === 0 ? now : loan.updatedAt;
  const received = newEntry("received", {
    amount: lent.cents ?? 0,
    unknown: lent.cents === undefined ? 1 : 0,
    currency: lent.currency,
    loanId: loan.id,
    orderId: order?.id,
    at: paidAt,
  });
  const receipt = {
    loanId: loan.id,
    orderId: loan.orderId,
    amount: lent.cents,
    currency: lent.currency,
    providerAmount: loan.amountText,
    paidAt,
    seenAt: now,
  };
  return { ...payment(known, lent, lent), receipt, entries: [received] };
}

/**
 * Decides whether money that has come to an order, or to none, pays it. @param brought what the
 * order received, which is less than `lent` if a part was refunded before
 */
function payment(known: Known, lent: Lent, brought: Lent): Consequences {
  const { loan, stored, order, others, now } = known;
  const refusal = refusalOf(known, brought);
  const isPresumed =
    order !== undefined &&
    isPresumedExtension({
      ...lent,
      ...provenForever(loan, stored),
      ...{ firstSeenAt: stored?.boundAt ?? now, others },
    });
  const store: StoredLoan = {
    ...reported(known, lent),
    refusal,
    presumedExtensionAt: isPresumed ? now : undefined,
    paidOutAt: now,
  };
  const pays =
    refusal === undefined &&
    order !== undefined &&
    isOrderStatus(order.status) &&
    awaitsPayment(order.status);
  return consequences(kindOf(store), {
    store: changed(stored, store),
    move: pays ? { kind: "to", to: "PaymentProcessed" } : undefined,
  });
}

/** Why a payout does not pay its order by itself. */
function refusalOf({ loan, order, others }: Known, brought: Lent): LoanRefusal | undefined {
  if (order === undefined || loan.orderId !== order.id) return "unknown-order";
  if (brought.currency !== currency.code) return "wrong-currency";
  return isEnough(brought, order.total, others) ? undefined : "underpaid";
}

/**
 * Whether a loan that has no order brings money that nobody has decided about: it is open, or its
 * payout was reversed and comes again.
 */
export function isUndecidedWithoutOrder({ entries }: Known, { state }: StoredLoan): boolean {
  const balances = balancesOf(withoutOrder(entries));
  if (state !== "ended") return hasOpenMoney(balances);
  return [balances.shop, ...balances.others].every(({ missing }) => missing === 0);
}

function withoutOrder(entries: Known["entries"]) {
  return { order: undefined, entries: entries.filter(({ orderId }) => orderId === undefined) };
}

/** Money without an order, of which nobody has decided, goes to the order that its loan names now. */
export function findOrder(known: Known, stored: StoredLoan): Consequences {
  const { loan, order, entries } = known;
  const { shop, others, unknownAmounts } = balancesOf(withoutOrder(entries));
  const lent = lentBy(loan, order?.total);
  const transfers = [shop, ...others].flatMap(({ currency: code, refundable }): NewEntry[] => {
    const unknown = code === stored.currency ? unknownAmounts : 0;
    if (refundable === 0 && unknown === 0) return [];
    const values = { currency: code, loanId: loan.id };
    return [
      newEntry("transferred", {
        ...values,
        ...oppositeOf({ amount: refundable, unknown }),
        orderId: undefined,
      }),
      newEntry("transferred", { ...values, amount: refundable, unknown, orderId: order?.id }),
    ];
  });
  const account = { ...stored, orderId: order?.id };
  const corrections = entriesAfterPayout({ ...known, stored: account }, account, lent);
  const moved = [...transfers, ...corrections].filter(({ orderId }) => orderId === order?.id);
  const principal = principalOf(moved, loan.id);
  const brought: Lent = {
    cents: principal === undefined ? 0 : principal.unknown > 0 ? undefined : principal.amount,
    currency: principal?.currency ?? lent.currency,
    amountText: lent.amountText,
  };
  return {
    ...payment({ ...known, stored: account }, lent, brought),
    entries: [...transfers, ...corrections],
  };
}
