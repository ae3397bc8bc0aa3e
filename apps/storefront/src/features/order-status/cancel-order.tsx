import { shortOrderId } from "@keepsats/domain";
import { type SubscribedOrder, shopPaths } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useState } from "react";
import { flushSync } from "react-dom";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { useOrderAction } from "./order-action.ts";

interface CancelOrderProps {
  readonly link: KeyedLink;
  readonly status: SubscribedOrder["status"];
  /** A loan that this browser does not know does not prevent cancelling. */
  readonly hasLoanId: boolean;
  /**
   * Called when the order is cancelled and the dialog is closed. The button may disappear with the
   * next message of the order stream.
   */
  readonly onCancelled: () => void;
}

/**
 * The button "Cancel order" and its confirmation dialog. An open dialog stays when the button
 * disappears, so that it can show a refusal. A failure opens the dialog again if it was closed.
 */
export function CancelOrder({ link, status, hasLoanId, onCancelled }: CancelOrderProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const { isSending, failure, send } = useOrderAction(link, cancellationFailure);
  const canCancel = status === "Pending" || (status === "PaymentProcessing" && !hasLoanId);

  async function cancel(): Promise<void> {
    const change = { path: shopPaths.cancellation };
    if (!(await send(change, "Order cancelled", "Nothing will be shipped.")))
      return setIsOpen(true);
    // Before the callback, because a dialog moves the focus to its button while it closes.
    flushSync(close);
    onCancelled();
  }

  return (
    <>
      {canCancel && <Button onClick={() => setIsOpen(true)}>Cancel order</Button>}
      {isOpen && (
        <Modal title="Cancel this order?" onClose={close}>
          <p>
            Order <span className="money font-medium">#{shortOrderId(link.orderId)}</span> can then
            no longer be paid, and nothing is shipped. This cannot be undone.
          </p>
          <p role="alert" className={failure === undefined ? "" : "mt-4 text-danger"}>
            {failure}
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button onClick={close}>Keep order</Button>
            <Button kind="strong" aria-disabled={isSending} onClick={cancel}>
              {isSending ? "Cancelling…" : "Cancel order"}
            </Button>
          </div>
        </Modal>
      )}
    </>
  );
}

export function cancellationFailure(error: unknown): string {
  switch (problemOf(error)?.code) {
    case "loan_active":
      return "A loan for this order is in progress. You can cancel the order when that loan has ended without a payment.";
    case "transition_refused":
      return "This order is paid or already on its way, so it cannot be cancelled here. Please ask the shop.";
    case "unavailable":
      return "The lender cannot be reached right now, so the order was not cancelled. Please try again in a moment.";
    default:
      return failureText(
        error,
        "The order could not be cancelled.",
        "Your order won't be cancelled twice.",
      );
  }
}
