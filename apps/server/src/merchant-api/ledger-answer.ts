import { balancesOf } from "@keepsats/domain";
import type { MerchantEntry, MerchantLedger } from "@keepsats/protocol";
import type { StoredAccount, StoredEntry } from "../payments/index.ts";

/** The ledger of an account in the words of the merchant API, before it is encoded. */
export function ledgerAnswer(account: StoredAccount): MerchantLedger {
  const { shop, others, unknownAmounts } = balancesOf(account);
  return {
    received: shop.received,
    kept: shop.kept,
    waived: shop.waived,
    written_off: shop.writtenOff,
    refund_due: shop.refundDue,
    refundable: shop.refundable,
    refunded: shop.refunded,
    missing: shop.missing,
    unknown_amounts: unknownAmounts,
    other_currencies: others.map(({ currency, received, refunded, kept, ...balance }) => ({
      ...{ currency, received, refunded, kept },
      refundable: balance.refundable,
      refund_due: balance.refundDue,
    })),
    entries: account.entries.map(entryAnswer),
  };
}

function entryAnswer(entry: StoredEntry): MerchantEntry {
  return {
    kind: entry.kind,
    id: entry.id,
    loan_id: entry.loanId ?? null,
    amount: entry.amount === 0 && entry.unknown !== 0 ? null : entry.amount,
    currency: entry.currency,
    at: entry.at,
    by: entry.byName,
    reason: entry.reason ?? null,
    refund_id: entry.refundId ?? null,
    method: entry.method ?? null,
    reference: entry.reference ?? null,
    issue_id: entry.issueId ?? null,
  };
}
