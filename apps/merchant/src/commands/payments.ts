import { shortOrderId } from "@keepsats/domain";
import { type Mismatches, mismatchesSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import { type Column, formatTime, json, labelled, type Output, table } from "../output.ts";

const columns: readonly Column[] = [
  { head: "SEEN (UTC)" },
  { head: "KIND", most: 20 },
  { head: "ORDER" },
  { head: "CONTRACT", most: 40 },
];

/** `payments mismatches`: contracts that do not pay the order they were meant for. */
export async function listMismatches(client: Client, output: Output): Promise<void> {
  const mismatches: Mismatches["mismatches"] = [];
  let cursor: string | null = null;
  do {
    const page: Mismatches = await client.call({
      path: paths.merchant.mismatches,
      query: { cursor: cursor ?? undefined },
      answer: mismatchesSchema,
    });
    mismatches.push(...page.mismatches);
    cursor = page.next_cursor;
  } while (cursor !== null);
  if (output.json)
    return output.line(json(z.encode(mismatchesSchema, { mismatches, next_cursor: null }).mismatches));
  if (mismatches.length === 0) return output.line("No mismatches.");
  const rows = mismatches.map(({ seen_at, kind, order_id, contract_id }) => [
    formatTime(seen_at),
    kind,
    order_id === null ? "" : shortOrderId(order_id),
    contract_id,
  ]);
  const [head = "", ...lines] = table(columns, rows, output.width);
  const details = mismatches.map(({ detail }) => labelled("", detail, { indent: 18, width: output.width }));
  output.line([head, ...lines.flatMap((line, at) => [line, details[at] ?? ""])].join("\n"));
}
