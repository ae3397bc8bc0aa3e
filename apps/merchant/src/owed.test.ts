import type { MerchantOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { formatOwed, owedNow, owedWhenCancelled } from "./owed.ts";

const anOrder = (changes: Partial<MerchantOrder>): MerchantOrder => ({
  id: "o",
  status: "PaymentProcessed",
  items: [],
  total_price: 4_500,
  customer_name: "Ada",
  customer_email: "ada@example.org",
  shipping_address: { street: "", city: "", state: "", postal_code: "", country: "" },
  billing_address: { street: "", city: "", state: "", postal_code: "", country: "" },
  created_at: 0,
  events: [],
  contracts: [],
  mismatches: [],
  ...changes,
});
const aLoan = (id: string, changes: Partial<MerchantOrder["contracts"][number]> = {}) => ({
  id,
  status: "a word of the provider",
  meaning: "paid",
  amount: 4_500,
  extends: null,
  bound_at: 0,
  ...changes,
});

test("for a cancelled order everything that its loans have paid is owed", () => {
  const contracts = [aLoan("a"), aLoan("b", { amount: 5_000 }), aLoan("c", { meaning: "ended" })];
  expect(owedWhenCancelled(anOrder({ contracts }))).toEqual({ cents: 9_500, loans: 2, exact: true });
  expect(owedNow(anOrder({ contracts, status: "Cancelled" })).cents).toBe(9_500);
  expect(owedNow(anOrder({ contracts })).cents).toBe(0);
});

test("for an order that is not cancelled the payments beyond the first are owed", () => {
  const mismatches = [{ contract_id: "b", kind: "second" as const, detail: "", seen_at: 0 }];
  const order = anOrder({ contracts: [aLoan("a"), aLoan("b")], mismatches });
  expect(owedNow(order)).toEqual({ cents: 4_500, loans: 1, exact: true });
});

test("an extension does not count as a payment", () => {
  const contracts = [aLoan("a"), aLoan("b", { extends: "a" })];
  expect(owedWhenCancelled(anOrder({ contracts }))).toMatchObject({ cents: 4_500, loans: 1 });
});

test("a loan of unknown amount counts as at least the total", () => {
  const owed = owedWhenCancelled(anOrder({ contracts: [aLoan("a", { amount: null })] }));
  expect(formatOwed(owed)).toBe("at least $45.00");
});
