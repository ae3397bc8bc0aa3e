import { decimalFromCents, heldChangeOf, isDecision } from "@keepsats/domain";
import { type ExportedEntry, exportedEntrySchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import { findReferences, type OrderReference } from "../../orders/index.ts";
import { batchesIn, type EntryRow, type Period } from "./journal-period.ts";

/** Reads the entries of a period in batches, by time, with what their orders add. */
async function* exportedEntries(db: Queries, period: Period): AsyncGenerator<ExportedEntry[]> {
  for await (const rows of batchesIn(db, period)) {
    const orderIds = new Set(rows.flatMap(({ order_id }) => order_id ?? []));
    const orders = await findReferences(db, [...orderIds]);
    yield rows.map((row) => exportedEntry(row, orders.get(row.order_id ?? "")));
  }
}

function exportedEntry(
  { amount, unknown, by_name: by, grant_kind: grant, ...row }: EntryRow,
  order: OrderReference | undefined,
): ExportedEntry {
  const { kind } = row;
  const isUnknown = amount === 0 && unknown !== 0;
  return {
    ...row,
    order_number: order?.number ?? null,
    country: order?.country || null,
    change: isUnknown ? null : heldChangeOf({ kind, amount }),
    decided: isUnknown ? null : isDecision(kind) ? amount : 0,
    by,
    grant,
  };
}

/** A JSON document of `exportedJournalSchema`, in parts. */
export async function* journalJson(db: Queries, period: Period): AsyncGenerator<string> {
  let separator = '{"entries":[';
  for await (const entries of exportedEntries(db, period)) {
    const encoded = entries.map((entry) => z.encode(exportedEntrySchema, entry));
    yield separator + encoded.map((entry) => JSON.stringify(entry)).join();
    separator = ",";
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

/** Programs rely on the names of the columns, so a new field of the schema comes last. */
export const journalColumns = z.keyof(exportedEntrySchema).options;

export async function* journalRecords(db: Queries, period: Period): AsyncGenerator<string[][]> {
  for await (const entries of exportedEntries(db, period))
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
