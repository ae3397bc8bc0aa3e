import { loanPayoutOf } from "@keepsats/domain";
import { type LoanAccount, type NewEntry, newEntry, type StoredLoan } from "./types.ts";

// A customer can extend a loan: the provider then stores a second loan of the same amount, which is
// paid out from its start, and marks the earlier one as extended. No money moves. The mark can come
// later than the second loan, and reports can come in any order, so the rules do not decide which
// loan extends which. They count how many of the loans of one amount brought no money.

/**
 * How long the provider may take to mark a loan after it has stored the extension, in milliseconds.
 */
const MARKED_WITHIN = 60_000;

/**
 * The ids of the loans of an account that are extensions. Among paid-out loans of one amount and
 * currency, each one marked as extended, or presumed an extension, counts one extension. The count
 * cannot exceed the loans never seen active, because an extension is paid out from its start. At
 * least one loan is never an extension.
 */
export function extensionsAmong({ loans, entries }: LoanAccount): ReadonlySet<string> {
  const groups = Map.groupBy(loans, ({ id }) => {
    const payout = loanPayoutOf(entries, id);
    if (payout === undefined || payout.amount <= 0 || payout.unknown !== 0) return "none";
    return `${payout.amount} ${payout.currency}`;
  });
  groups.delete("none");
  return new Set([...groups.values()].flatMap(extensionsIn));
}

/** @param loans the paid-out loans of one order, amount and currency */
function extensionsIn(loans: readonly StoredLoan[]): string[] {
  const marked = loans.filter(({ wasExtended }) => wasExtended).length;
  const presumed = loans.filter((loan) => loan.presumedExtensionAt !== undefined).length;
  const signs = marked + presumed;
  const candidates = loans.filter(({ wasActive }) => !wasActive).sort(likeliestExtensionFirst);
  const count = Math.min(signs, candidates.length, loans.length - 1);
  return candidates.slice(0, count).map(({ id }) => id);
}

/**
 * The sums are the same whichever loans are chosen. A loan that pays the order is chosen last, and
 * so is one that was extended itself, and one that was paid out early.
 */
function likeliestExtensionFirst(one: StoredLoan, other: StoredLoan): number {
  return (
    Number(one.refusal === undefined) - Number(other.refusal === undefined) ||
    Number(one.wasExtended) - Number(other.wasExtended) ||
    (other.paidOutAt ?? 0) - (one.paidOutAt ?? 0) ||
    (one.id < other.id ? 1 : -1)
  );
}

/** The entries that bring the journal of an account in line with {@link extensionsAmong}. */
export function extensionEntries(account: LoanAccount): readonly NewEntry[] {
  const extensions = extensionsAmong(account);
  const { entries, order } = account;
  const loanIds = new Set(entries.flatMap(({ loanId }) => loanId ?? []));
  return [...loanIds].flatMap((loanId) => {
    const differences = new Map<string, number>();
    const add = (currency: string, amount: number) =>
      differences.set(currency, (differences.get(currency) ?? 0) + amount);
    for (const { kind, loanId: named, currency, amount } of entries)
      if (kind === "extension" && named === loanId) add(currency, -amount);
    const payout = extensions.has(loanId) ? loanPayoutOf(entries, loanId) : undefined;
    if (payout !== undefined) add(payout.currency, -payout.amount);
    return [...differences]
      .filter(([, amount]) => amount !== 0)
      .map(([currency, amount]) =>
        newEntry("extension", { amount, currency, loanId, orderId: order?.id }),
      );
  });
}

/** The payouts of the same amount and currency, which may extend each other. */
export function equalPayouts(
  { cents, currency }: Pick<StoredLoan, "cents" | "currency">,
  others: readonly StoredLoan[],
): StoredLoan[] {
  return others.filter(
    (other) => other.state === "paid-out" && other.cents === cents && other.currency === currency,
  );
}

/**
 * Whether a new payout is presumed to be an extension whose earlier loan the provider has not
 * marked yet, so that staff are not asked to refund money that the shop never received.
 *
 * @param others the other loans of its order
 */
export function isPresumedExtension(loan: StoredLoan, others: readonly StoredLoan[]): boolean {
  const { cents, wasActive, wasExtended, boundAt } = loan;
  if (cents === undefined || cents === 0) return false;
  const equal = equalPayouts(loan, others);
  const marked = equal.filter((other) => other.wasExtended).length;
  const neverActive = equal.filter((other) => !other.wasActive).length;
  const before = Math.min(marked, neverActive, equal.length - 1);
  const extensionsWith = (signs: number) =>
    Math.min(signs, neverActive + Number(!wasActive), equal.length);
  const signs = marked + Number(wasExtended);
  // A mark that explained no earlier payout explains this one.
  if (equal.length > 0 && extensionsWith(signs) > before) return false;
  // An extension is stored after the payout of the loan that it extends, so a payout that was seen
  // before this loan was active does not extend it.
  const mayBeExtended = equal.some(
    (other) => !other.wasActive && (other.paidOutAt ?? 0) >= boundAt,
  );
  if (wasActive && !mayBeExtended) return false;
  return extensionsWith(signs + 1) > extensionsWith(signs);
}

/** A presumption ends with a complete sweep that began a minute after the payout, or later. */
export function isPresumptionOver(
  { presumedExtensionAt }: StoredLoan,
  lastSweepBegan: number,
): boolean {
  return presumedExtensionAt !== undefined && lastSweepBegan - presumedExtensionAt >= MARKED_WITHIN;
}
