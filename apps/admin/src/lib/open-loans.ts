import { counted } from "./format.ts";

/** The loans of a cancelled order that may still be paid out; empty without any. */
export function openLoansText(loans: readonly object[]): string {
  if (loans.length === 0) return "";
  return `${counted(loans.length, "loan")} may still be paid out. Any money that arrives will be listed under Payments.`;
}
