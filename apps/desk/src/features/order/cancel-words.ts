import type { MerchantOrder } from "@keepsats/protocol";

type Judged = Pick<MerchantOrder, "status"> & {
  readonly ledger: Pick<MerchantOrder["ledger"], "refundable">;
  readonly contracts: readonly Pick<MerchantOrder["contracts"][number], "meaning">[];
};

/** What becomes of the money if an order is cancelled as it is now; `undefined` if there is none and none is on its way. */
export function cancelWarning({ status, ledger, contracts }: Judged): string | undefined {
  if (status === "PaymentProcessed")
    return "This order is paid. What has to be given back is listed under Payments afterwards.";
  if (ledger.refundable > 0)
    return "Money has come in for this order. It has to be given back, and is listed under Payments.";
  if (status === "PaymentProcessing" || contracts.some(({ meaning }) => meaning === "processing"))
    return "A loan for this order is under way, and cancelling does not stop it. If it is paid out afterwards, its money has to be given back: it is then listed under Payments.";
  return undefined;
}
