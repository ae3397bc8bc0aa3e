import type { Receipt } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { isPriceRefunded } from "./receipts.tsx";

const aReceipt = (kind: Receipt["kind"], total: number): Receipt => ({
  kind,
  number: "R-10023",
  order_number: "K-10023",
  issued_at: 0,
  issued_on: "2026-11-27",
  seller: { name: "Shop", address: null, tax_number: null },
  customer_name: "Ada Lovelace",
  billing_address: { street: "", city: "", state: "", postal_code: "", country: "" },
  lines: [],
  total,
  reduction: 0,
  vat: [],
  reason: null,
});

test.each([
  ["nothing", [], 0, false],
  ["a part", [700], 700, false],
  ["all in two parts", [700, 500], 1_200, true],
  ["another payment, of the same amount", [], 1_200, false],
  ["all, of which a part did not arrive", [700, 500], 700, false],
])("an order of which the shop refunded %s: %j, %i → %s", (_what, credited, refunded, expected) => {
  const creditNotes = credited.map((total) => aReceipt("credit-note", total));
  expect(isPriceRefunded([aReceipt("receipt", 1_200), ...creditNotes], refunded)).toBe(expected);
});

test("an unpaid order has no price to refund", () => {
  expect(isPriceRefunded([], 0)).toBe(false);
});
