import {
  amountsText,
  dueOnceCancelled,
  loansUnderWay,
  type MerchantOrder,
} from "@keepsats/protocol";
import { counted } from "../../ui/counted.ts";

type Order = {
  readonly ledger: Pick<MerchantOrder["ledger"], "unknown_amounts" | "entries"> &
    Parameters<typeof dueOnceCancelled>[0];
  readonly loans: readonly Pick<MerchantOrder["loans"][number], "id" | "state">[];
};

/** Says what becomes of an order's money and loans if it is cancelled; the money first. */
export function cancelConsequences({ ledger, loans }: Order): readonly string[] {
  const due = amountsText(dueOnceCancelled(ledger), ledger.unknown_amounts);
  const money =
    due === ""
      ? "No money was received: nothing to refund."
      : `To refund: ${due}. It is then listed under Payments.`;
  const active = loansUnderWay(loans, ledger).length;
  if (active === 0) return [money];
  return [
    money,
    `${counted(active, "loan")} may still be paid out: cancelling does not stop a loan. Its money must be refunded then.`,
  ];
}

/** Says which loans of a cancelled order may still be paid out; an empty text if there are none. */
export function underWayText(loans: readonly object[]): string {
  if (loans.length === 0) return "";
  return `${counted(loans.length, "loan")} may still be paid out. Its money is then listed under Payments.`;
}
