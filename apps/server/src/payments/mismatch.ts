import {
  type ContractMeaning,
  centsCoveredBy,
  formatMoney,
  isDollarAsset,
  type OrderStatus,
} from "@keepsats/domain";
import type { MismatchKind } from "@keepsats/protocol";
import type { ProviderContract } from "./loan-provider.ts";

/** Why a contract does not pay an order, with a sentence for the merchant. */
export interface Mismatch {
  readonly kind: MismatchKind;
  readonly detail: string;
}

/** What keeps a contract that names an order from being bound to it; `undefined` when nothing does. `total` in cents. */
export function bindingMismatch(contract: ProviderContract, total: number): Mismatch | undefined {
  if (!isDollarAsset(contract.loan_asset)) {
    return { kind: "wrong-asset", detail: `It lends ${contract.loan_asset}, which is no dollar.` };
  }
  const lent = centsCoveredBy(contract.loan_amount);
  if (lent === undefined) {
    return { kind: "underpaid", detail: `Its amount, ${contract.loan_amount}, is no amount of dollars.` };
  }
  if (lent < total) {
    return {
      kind: "underpaid",
      detail: `It lends ${formatMoney(lent)}; the order comes to ${formatMoney(total)}.`,
    };
  }
  return undefined;
}

/** What is wrong when a bound contract has been paid out although its order no longer waits for money. */
export function lateMoney(status: OrderStatus): Mismatch | undefined {
  switch (status) {
    case "Cancelled":
      return { kind: "paid-after-cancel", detail: "It was paid out after the order was cancelled." };
    case "PaymentProcessed":
    case "Shipped":
    case "Delivered":
      return { kind: "second", detail: "It was paid out, but the order had been paid already." };
    default:
      return undefined;
  }
}

/** A contract's earlier meaning and its present one, as one: what was paid stays paid, and the unknown changes nothing. */
export function mergedMeaning(
  earlier: ContractMeaning | undefined,
  present: ContractMeaning,
): ContractMeaning {
  if (earlier === "paid") return "paid";
  return present === "unknown" ? (earlier ?? "unknown") : present;
}
