import type { MerchantLedger } from "@keepsats/protocol";
import type { Ledger, LedgerEntry } from "../payments/index.ts";

/** A ledger in the words of the merchant API, before it is encoded. */
export function ledgerAnswer({ keptByStaff, refundDue, entries, ...sums }: Ledger): MerchantLedger {
  return {
    ...sums,
    kept_by_staff: keptByStaff,
    refund_due: refundDue,
    entries: entries.map(entryAnswer),
  };
}

function entryAnswer(entry: LedgerEntry): MerchantLedger["entries"][number] {
  switch (entry.kind) {
    case "received":
      return { kind: "received", loan_id: entry.loanId, amount: entry.cents, at: entry.at };
    case "refunded": {
      const { id, cents: amount, method, reference = null, byName: by, at } = entry;
      return { kind: "refunded", id, amount, method, reference, by, at };
    }
  }
}
