import { shortOrderId } from "@keepsats/domain";
import { type Mismatches, mismatchesSchema, paths } from "@keepsats/protocol";
import type { Client } from "../client.ts";
import { formatTime, type Output, table } from "../output.ts";

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
  if (output.json) return output.line(JSON.stringify(mismatches));
  if (mismatches.length === 0) return output.line("No mismatches.");
  const rows = mismatches.map(({ seen_at, kind, order_id, contract_id, detail }) => [
    formatTime(seen_at),
    kind,
    order_id === null ? "" : shortOrderId(order_id),
    contract_id,
    detail,
  ]);
  output.line(table(["SEEN (UTC)", "KIND", "ORDER", "CONTRACT", "DETAIL"], rows));
}
