import type { AdminOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anIssue } from "../../lib/order.test-data.ts";
import { historyEntries } from "./history.tsx";

const event = (at: number, reason: string | null = null): AdminOrder["events"][number] => ({
  kind: "moved",
  from: "Pending",
  to: "Cancelled",
  by: "provider",
  by_name: null,
  reason,
  message: null,
  detail: null,
  at,
});
const issue = (opened_at: number) => anIssue({ id: `opened ${opened_at}`, opened_at });
const shown = (events: number[], issues: number[]) =>
  historyEntries({
    events: events.map((at) => event(at)),
    payment_issues: issues.map(issue),
  }).map(({ key, at }) => (key.startsWith("opened") ? key : at));

test("the history is sorted by time, newest first, a payment issue by the time it was opened", () => {
  expect(shown([1, 5], [8])).toEqual(["opened 8", 5, 1]);
  expect(shown([1, 5, 9], [8])).toEqual([9, "opened 8", 5, 1]);
});

test("a payment issue precedes an event of the same second", () => {
  expect(shown([1, 8], [8])).toEqual([8, "opened 8", 1]);
});

test("the reason of an event is shown as a text", () => {
  const events = [event(1, "loan 2b89cdde-0000-4000-8000-000000000000: PrincipalGiven")];
  expect(historyEntries({ events, payment_issues: [] })).toMatchObject([
    { details: ["The loan provider has paid (loan 2b89cdde)"] },
  ]);
});
