import { decimalFromCents, heldChangeOf, isDecision } from "@keepsats/domain";
import { type ExportedEntry, encodeExportedEntry } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import type { YieldToEventLoop } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findReferences, type OrderReference } from "../../orders/index.ts";
import { batchesIn, type EntryRow, type Period } from "./journal-period.ts";

/** Reads the entries of a period in batches, by time, with what their orders add. */
async function* exportedEntries(
  db: Queries,
  period: Period,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<ExportedEntry[]> {
  for await (const rows of batchesIn(db, period)) {
    const orderIds = new Set(rows.flatMap(({ order_id }) => order_id ?? []));
    const orders = await findReferences(db, [...orderIds]);
    yield rows.map((row) => exportedEntry(row, orders.get(row.order_id ?? "")));
    await yieldToEventLoop();
  }
}

function exportedEntry(row: EntryRow, order: OrderReference | undefined): ExportedEntry {
  const { kind, amount } = row;
  const isUnknown = amount === 0 && row.unknown !== 0;
  return {
    id: row.id,
    at: row.at,
    order_id: row.order_id,
    order_number: order?.number ?? null,
    country: order?.country || null,
    kind,
    change: isUnknown ? null : heldChangeOf({ kind, amount }),
    decided: isUnknown ? null : isDecision(kind) ? amount : 0,
    currency: row.currency,
    loan_id: row.loan_id,
    refund_id: row.refund_id,
    method: row.method,
    reference: row.reference,
    reason: row.reason,
    by: row.by_name,
    grant: row.grant_kind,
  };
}

/** A JSON document of `exportedJournalSchema`, in parts. */
export async function* journalJson(
  db: Queries,
  period: Period,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<string> {
  let separator = '{"entries":[';
  for await (const entries of exportedEntries(db, period, yieldToEventLoop)) {
    yield separator + entries.map((entry) => JSON.stringify(encodeExportedEntry(entry))).join();
    separator = ",";
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

/** Programs rely on the names of the columns. A new column is added at the end. */
export const journalColumns = [
  "id",
  "at",
  "order_id",
  "order_number",
  "country",
  "kind",
  "change",
  "decided",
  "currency",
  "loan_id",
  "refund_id",
  "method",
  "reference",
  "reason",
  "by",
  "grant",
] as const satisfies readonly (keyof ExportedEntry)[];

export async function* journalRecords(
  db: Queries,
  period: Period,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<string[][]> {
  for await (const entries of exportedEntries(db, period, yieldToEventLoop))
    yield entries.map((entry) => journalColumns.map((column) => cellOf(entry, column)));
}

function cellOf(entry: ExportedEntry, column: (typeof journalColumns)[number]): string {
  if (column === "at") return new Date(entry.at).toISOString();
  if (column === "change" || column === "decided") {
    const cents = entry[column];
    return cents === null ? "" : decimalFromCents(cents);
  }
  return escapeCell(entry[column] ?? "");
}
