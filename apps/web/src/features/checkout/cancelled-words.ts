import { formatMoney } from "@keepsats/domain";
import type { FollowedOrder } from "@keepsats/protocol";
import type { OwnOrder } from "../../lib/own-orders.ts";

/**
 * What becomes of the money of a cancelled order. A pop-up may still be open, and its loan may
 * still be paid out.
 *
 * @param order the order as this browser knows it; with a contract if the widget has reported
 *   success
 * @param followed what the order stream says, once it has come
 */
export function moneyAfterCancelling(
  { contractId }: Pick<OwnOrder, "contractId">,
  followed: Pick<FollowedOrder, "given_back"> | undefined,
): string {
  if (followed?.given_back) return `The shop has given back ${formatMoney(followed.given_back)}.`;
  return contractId === undefined
    ? "Do not pay for it any more. If a loan is paid out for it all the same, the shop gives that money back."
    : "If your loan was paid out, the shop gives that money back and writes to you.";
}
