import { shortOrderId } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { Modal } from "../../ui/modal.tsx";
import { type Cancellation, cancellationFailure, cancelOrder } from "./cancellation.ts";

interface CancelOrderProps {
  readonly order: Cancellation;
  /**
   * Whether the button is shown. An open dialog stays, so that it can say why the order was not
   * cancelled.
   */
  readonly canCancel: boolean;
  /**
   * Called when the order is cancelled and the dialog is closed; the button may disappear with the
   * next message.
   */
  readonly onCancelled: () => void;
}

/**
 * The button "Cancel order" and the dialog that asks for confirmation. A failure opens the dialog
 * again if it was closed.
 */
export function CancelOrder({ order, canCancel, onCancelled }: CancelOrderProps) {
  const [step, setStep] = useState<"closed" | "open" | "cancelled">("closed");
  const { isSending, failure, cancel } = useCancellation(order, setStep);
  const tell = useEffectEvent(onCancelled);
  // An effect, because the dialog returns the focus to the button while it closes.
  useEffect(() => {
    if (step === "cancelled") tell();
  }, [step]);
  const close = () => setStep((now) => (now === "open" ? "closed" : now));

  return (
    <>
      {canCancel && <Button onClick={() => setStep("open")}>Cancel order</Button>}
      {step === "open" && (
        <Modal title="Cancel this order?" onClose={close}>
          <p>
            Order <span className="money font-medium">#{shortOrderId(order.orderId)}</span> can then
            no longer be paid, and nothing is shipped. This cannot be undone.
          </p>
          <p role="alert" className={failure === undefined ? "" : "mt-4 text-danger"}>
            {failure}
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button onClick={close}>Keep order</Button>
            <Button kind="strong" aria-disabled={isSending} onClick={cancel}>
              {isSending ? "Cancelling..." : "Cancel order"}
            </Button>
          </div>
        </Modal>
      )}
    </>
  );
}

/** @param onEnd called with the next state of the dialog */
function useCancellation(order: Cancellation, onEnd: (step: "open" | "cancelled") => void) {
  const toasts = useToasts();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function cancel(): Promise<void> {
    if (isSending) return;
    setIsSending(true);
    setFailure(undefined);
    try {
      await cancelOrder(order);
      toasts.show({
        kind: "success",
        title: "Order cancelled",
        description: "Nothing will be shipped.",
      });
      onEnd("cancelled");
    } catch (error) {
      console.error("Failed to cancel the order", error);
      setFailure(cancellationFailure(error));
      onEnd("open");
    } finally {
      setIsSending(false);
    }
  }
  return { isSending, failure, cancel };
}
