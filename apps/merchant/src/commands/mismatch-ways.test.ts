import type { MerchantMismatch } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { waysOf } from "./mismatch-ways.ts";

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
const ways = (changes: Partial<MerchantMismatch>) => waysOf({ ...underpaid, ...changes }, "0e4b3a51");

test("money whose amount is known is given back by its refund, and can be accepted while the order waits", () => {
  const lines = ways({});
  expect(lines[0]).toBe("You have given the money back:");
  expect(lines).toContain('  orders refund 0e4b3a51 6.00 --method "bank transfer"');
  expect(lines.filter((line) => line.includes("--as accepted"))).toHaveLength(1);
  expect(ways({ order_status: "Cancelled" }).join()).not.toContain("--as accepted");
});

test("before the amount is known nothing is offered as given back first, and nothing to be accepted", () => {
  const lines = ways({ amount: null });
  expect(lines[0]).toContain("No money has come in by it");
  expect(lines.join("\n")).not.toMatch(/orders refund|--as accepted/);
  const place = (part: string) => lines.findIndex((line) => line.includes(part));
  expect(place("--as explained")).toBeLessThan(place("--as given-back"));
});
