import type { Loan } from "../../apps/server/src/payments/loan.ts";

/**
 * A loan of 45 dollars as a provider's adapter returns it. By default it names no order and is in
 * progress.
 */
export function aLoan({ standing = "under-way", ...changes }: Partial<Loan> = {}): Loan {
  return {
    id: "loan",
    orderId: undefined,
    isMisnamed: false,
    cents: 4_500,
    unfit: undefined,
    standing,
    isDisputed: false,
    wasExtended: false,
    word: `told as ${standing}`,
    updatedAt: 0,
    ...changes,
  };
}
