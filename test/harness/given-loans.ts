import type { Database } from "../../apps/server/src/db/database.ts";
import { findState } from "../../apps/server/src/orders/order-repository.ts";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import type { LoanProvider } from "../../apps/server/src/payments/loan-provider.ts";
import { createCheckLoan } from "../../apps/server/src/payments/loans/check-loan.ts";
import { paymentTimes } from "../../apps/server/src/payments/payments.ts";
import { settlementOn } from "./settlement.ts";

/** A provider that knows these loans only. */
export interface GivenLoans extends LoanProvider {
  /** Whether it gives no answer. */
  away: boolean;
  /** The ids of the loans that it was asked for. */
  readonly asked: string[];
}

/** A provider with these loans; `onAsked` is called before each answer. */
export function aProvider(
  loans: readonly Loan[] = [],
  onAsked: (id: string) => Promise<void> = async () => {},
): GivenLoans {
  const provider: GivenLoans = {
    away: false,
    asked: [],
    reachable: true,
    account: async () => ({ kind: "deferred" }),
    loans: async () => ({ kind: "deferred" }),
    takeQuestion: async () => async (id) => {
      provider.asked.push(id);
      await onAsked(id);
      if (provider.away) return { kind: "unavailable", why: "it is away" };
      const value = loans.find((loan) => loan.id === id);
      return value === undefined ? { kind: "absent" } : { kind: "found", value };
    },
  };
  return provider;
}

/** The check of single loans of a provider on a database, by the database's clock. */
export function checkLoanOn(database: Database, provider: LoanProvider) {
  return createCheckLoan({
    database,
    provider,
    settle: settlementOn(database).settle,
    statusOf: async (id) => (await findState(database.db, id))?.status,
    leaseNow: () => database.now(),
    times: paymentTimes,
  });
}
