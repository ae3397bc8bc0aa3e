import type { MerchantMismatch } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { waysOf } from "./mismatches.ts";

const underpaid: MerchantMismatch = {
  id: "WyJ",
  contract_id: "loan",
  order_id: "0e4b3a51-0000-4000-8000-000000000000",
  order_status: "Pending",
  kind: "underpaid",
  detail: "It lends $6.00; the order comes to $12.00.",
  amount: 600,
  seen_at: 1,
  resolution: null,
};
const ways = (changes: Partial<MerchantMismatch>) =>
  waysOf({ ...underpaid, ...changes }, "0e4b3a51");

test("money whose amount is known is given back by its refund, and can be accepted while the order waits", () => {
  const lines = ways({});
  expect(lines[0]).toBe("A loan lends less than its order costs.");
  expect(lines).toContain('  orders refund 0e4b3a51 6.00 --method "bank transfer"');
  expect(lines.join()).not.toContain("--as given-back");
  expect(lines.filter((line) => line.includes("--as accepted"))).toHaveLength(1);
  expect(ways({ order_status: "Cancelled" }).join()).not.toContain("--as accepted");
});

test("what was recorded as given back is not to be recorded again", () => {
  const refunds = (changes: Partial<MerchantMismatch>) =>
    ways(changes).filter((line) => line.includes("orders refund"));
  expect(refunds({ still_owed: 600 })).toEqual([
    '  orders refund 0e4b3a51 6.00 --method "bank transfer"',
  ]);
  expect(refunds({ still_owed: 250 })).toEqual([
    '  orders refund 0e4b3a51 2.50 --method "bank transfer"',
  ]);
  expect(refunds({ still_owed: 0 })).toEqual([]);
  expect(ways({ still_owed: 0 })).toContain(
    '  mismatches resolve 0e4b3a51 --as given-back --note "transferred on Monday"',
  );
});

test.each([
  ["no order", { order_id: null, order_status: null }],
  ["an order that the shop does not have", { order_status: null }],
])("money that came for %s has no refund to record", (_, changes) => {
  expect(ways(changes).join("\n")).not.toContain("orders refund");
});

test("before the amount is known nothing is offered as given back, and nothing to be accepted", () => {
  const lines = ways({ amount: null });
  expect(lines[1]).toContain("Nothing to refund.");
  expect(lines.join("\n")).not.toMatch(/orders refund|--as accepted|--as given-back/);
  expect(lines.at(-1)).toContain("--as explained");
});
