import type { MerchantOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { historyEntries } from "./history-entries.ts";

const event = (at: number, reason: string | null = null): MerchantOrder["events"][number] => ({
  ...{ kind: "moved", from: "Pending", to: "Cancelled", by: "provider", by_name: null },
  ...{ reason, message: null, detail: null, at },
});
const mismatch = (seen_at: number): MerchantOrder["mismatches"][number] => ({
  ...{ id: `seen ${seen_at}`, contract_id: "loan", order_id: "order", order_status: "Cancelled" },
  ...{ kind: "paid-after-cancel", detail: "", amount: 4_500, seen_at, resolution: null },
});
const shown = (events: number[], mismatches: number[]) =>
  historyEntries({
    events: events.map((at) => event(at)),
    mismatches: mismatches.map(mismatch),
  }).map((entry) => (entry.kind === "event" ? entry.event.at : entry.key));

test("money that came after a cancellation stands in the history, the latest first", () => {
  expect(shown([1, 5], [8])).toEqual(["seen 8", 5, 1]);
  expect(shown([1, 5, 9], [8])).toEqual([9, "seen 8", 5, 1]);
});

test("a payment stands before what was done about it in the same second", () => {
  expect(shown([1, 8], [8])).toEqual([8, "seen 8", 1]);
});

test("reasons are told in words", () => {
  const events = [event(1, "contract 2b89cdde-0000-4000-8000-000000000000: PrincipalGiven")];
  expect(historyEntries({ events, mismatches: [] })).toMatchObject([
    { texts: ["The lender has paid (loan 2b89cdde)"] },
  ]);
});
