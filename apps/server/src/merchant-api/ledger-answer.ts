import type { MerchantLedger } from "@keepsats/protocol";
import type { Ledger, LedgerEntry } from "../payments/index.ts";

/** A ledger in the words of the merchant API, before it is encoded. */
export function ledgerAnswer({ givenBack: given_back, entries, ...sums }: Ledger): MerchantLedger {
  return { ...sums, given_back, entries: entries.map(entryAnswer) };
}

function entryAnswer(entry: LedgerEntry): MerchantLedger["entries"][number] {
  switch (entry.kind) {
    case "received":
      return { kind: "received", contract_id: entry.contractId, amount: entry.cents, at: entry.at };
    case "given-back": {
      const { id, cents: amount, method, reference = null, byName: by, at } = entry;
      return { kind: "given_back", id, amount, method, reference, by, at };
    }
  }
}
