import { currency as shopCurrency } from "@keepsats/domain";
import type { MerchantLedger } from "@keepsats/protocol";
import type { Figure } from "../../ui/figures.tsx";

/** The sums of a ledger that are not 0, those in the shop's currency first. */
export function ledgerRows(ledger: Omit<MerchantLedger, "entries">): readonly Figure[] {
  const { code } = shopCurrency;
  const received: Figure = { label: "Received", cents: ledger.received, currency: code };
  const inDollars: readonly (readonly [string, number])[] = [
    ["Kept", ledger.kept],
    ["Waived", ledger.waived],
    ["Written off", ledger.written_off],
    ["Refunded", ledger.refunded],
    ["Refund due", ledger.refund_due],
    // Of an order that awaits its payment: money that does not pay it.
    ["Refundable", ledger.refund_due === 0 ? ledger.refundable : 0],
    ["Missing", ledger.missing],
  ];
  const others = ledger.other_currencies.flatMap(({ currency, ...sums }): Figure[] => [
    { label: "Received", cents: sums.received, currency },
    { label: "Kept", cents: sums.kept, currency },
    { label: "Refunded", cents: sums.refunded, currency },
    { label: "Refund due", cents: sums.refund_due, currency },
    { label: "Refundable", cents: sums.refund_due === 0 ? sums.refundable : 0, currency },
  ]);
  const rows: readonly Figure[] = [
    ...inDollars.map(([label, cents]) => ({ label, cents, currency: code })),
    ...others,
  ].filter(({ cents }) => cents !== 0);
  if (ledger.unknown_amounts > 0) {
    const { unknown_amounts: count } = ledger;
    const label = count === 1 ? "Received" : `Received, by ${count} loans`;
    const unknown: Figure = { label, cents: null, currency: "" };
    return received.cents === 0 ? [unknown, ...rows] : [received, unknown, ...rows];
  }
  const hasOthers = ledger.other_currencies.some((one) => one.received !== 0);
  return received.cents === 0 && hasOthers ? rows : [received, ...rows];
}
