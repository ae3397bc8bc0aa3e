import { randomUUID } from "node:crypto";
import { aContract, type ScriptedContract } from "./provider.ts";

/** What a loan builder needs of an order. */
interface Payable {
  readonly id: string;
  /** In dollars. */
  readonly total: number;
}

/** The fields of a loan that a test changes; any of them may be what no provider should send. */
export interface LoanChanges {
  readonly id?: string;
  readonly status?: string;
  readonly loan_amount?: unknown;
  readonly loan_asset?: unknown;
  readonly client_contract_id?: string | null;
  readonly updated_at?: unknown;
}

/** A loan that was paid out for an order: its total, in dollars. */
export function aPayout(order: Payable, changes: LoanChanges = {}): ScriptedContract {
  const loan_amount = order.total.toFixed(2);
  return aContract(`loan-${randomUUID()}`, order.id, "PrincipalGiven", { loan_amount, ...changes });
}

/** A loan that was requested for an order and is not paid out. */
export function anActiveLoan(order: Payable, changes: LoanChanges = {}): ScriptedContract {
  return aPayout(order, { status: "CollateralConfirmed", ...changes });
}

/** A loan that was paid out and names no order. */
export function aPayoutWithoutOrder(amount: number, changes: LoanChanges = {}): ScriptedContract {
  return aPayout({ id: "", total: amount }, { client_contract_id: null, ...changes });
}

/** A loan as the provider reports it later. */
export function changed(loan: ScriptedContract, changes: LoanChanges): ScriptedContract {
  return { ...loan, ...changes };
}
