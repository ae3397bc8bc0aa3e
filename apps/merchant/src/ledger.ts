import {
  type Cents,
  formatMoneyIn,
  currency as shopCurrency,
  shortOrderId,
} from "@keepsats/domain";
import { entryLabel, type MerchantEntry, type MerchantLedger } from "@keepsats/protocol";
import { type Column, formatTime, labelled, table } from "./output.ts";

/** An amount such as `$12.00`, `-$12.00`, `12.00 Eur` or `unknown`. @param cents `null` if unknown */
export function amountText(cents: Cents | null, currency: string = shopCurrency.code): string {
  if (cents === null) return "unknown";
  const text = formatMoneyIn(Math.abs(cents), currency);
  return cents < 0 ? `-${text}` : text;
}

/** The sums of a ledger that are not 0, such as `received $90.00, kept $45.00, refund due $45.00`. */
export function sumsText(ledger: Omit<MerchantLedger, "entries">): string {
  const own = { ...ledger, currency: shopCurrency.code };
  const sums = [
    ...textsOf(own, ["received", "kept", "waived", "written_off", "refunded"]),
    ...textsOf(own, [ledger.refund_due === 0 ? "refundable" : "refund_due", "missing"]),
    ...ledger.other_currencies.flatMap((one) =>
      textsOf(one, [
        ...(["received", "kept", "refunded"] as const),
        one.refund_due === 0 ? "refundable" : "refund_due",
      ]),
    ),
  ];
  const { unknown_amounts: unknown } = ledger;
  if (unknown === 1) sums.push("received unknown");
  if (unknown > 1) sums.push(`received unknown by ${unknown} loans`);
  return sums.join(", ");
}

function textsOf<Sum extends string>(
  sums: { readonly [name in Sum]: Cents } & { readonly currency: string },
  names: readonly Sum[],
): string[] {
  return names
    .filter((name) => sums[name] !== 0)
    .map((name) => `${name.replaceAll("_", " ")} ${amountText(sums[name], sums.currency)}`);
}

const columns: readonly Column<MerchantEntry>[] = [
  { head: "WHEN (UTC)", cell: ({ at }) => formatTime(at) },
  { head: "MONEY", cell: entryLabel },
  { head: "AMOUNT", right: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { head: "BY", most: 20, cell: ({ by }) => by },
];

/** A journal as a table, oldest first; an empty text without entries. */
export function journalTable(entries: readonly MerchantEntry[], width: number): string {
  if (entries.length === 0) return "";
  return table(columns, entries, width, (entry) => {
    const { loan_id, refund_id, method, reference, reason } = entry;
    const how = [method, reference, reason].filter((text) => text !== null && text !== "");
    const loan = loan_id === null ? [] : [`loan ${loan_id}`];
    const refund = refund_id === null ? [] : [`refund ${shortOrderId(refund_id)}`];
    return [[...loan, ...refund, ...how].join(", ")].filter((note) => note !== "");
  });
}

/** The sums of an account and its journal; an empty text if it has none. */
export function describeLedger(ledger: MerchantLedger, width: number): string {
  const sums = labelled("", sumsText(ledger), { indent: 0, width });
  return [sums, journalTable(ledger.entries, width)].filter((text) => text !== "").join("\n\n");
}
