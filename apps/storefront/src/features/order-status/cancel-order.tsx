import { call, isApiError } from "@keepsats/client";
import { shortOrderId } from "@keepsats/domain";
import { orderKeyHeader, shopPaths, subscribedOrderSchema, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useEffectEvent, useState } from "react";

/** The order to cancel and its key. */
interface Cancellation {
  readonly orderId: string;
  readonly key: string;
}

interface CancelOrderProps {
  readonly order: Cancellation;
  /** Whether the button is shown. An open dialog stays, so that it can show a refusal. */
  readonly canCancel: boolean;
  /**
   * Called when the order is cancelled and the dialog is closed. The button may disappear with the
   * next message of the order stream.
   */
  readonly onCancelled: () => void;
}

/**
 * The button "Cancel order" and its confirmation dialog. A failure opens the dialog again if it was
 * closed.
 */
export function CancelOrder({ order, canCancel, onCancelled }: CancelOrderProps) {
  const [step, setStep] = useState<"closed" | "open" | "cancelled">("closed");
  const { isSending, failure, cancel } = useCancellation(order, setStep);
  const notify = useEffectEvent(onCancelled);
  // An effect, because the dialog moves the focus to the button while it closes.
  useEffect(() => {
    if (step === "cancelled") notify();
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
              {isSending ? "Cancelling…" : "Cancel order"}
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

/**
 * Cancels an order: `POST /api/orders/:id/cancellation`. Cancelling it again changes nothing.
 *
 * @throws {ApiError}
 */
export async function cancelOrder({ orderId, key }: Cancellation): Promise<void> {
  await call({
    path: withId(shopPaths.cancellation, orderId),
    method: "POST",
    headers: { [orderKeyHeader]: key },
    body: "{}",
    answer: subscribedOrderSchema,
  });
}

export function cancellationFailure(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Please try again. Your order won't be cancelled twice.";
  switch (error.problem?.code) {
    case "loan_active":
      return "A loan for this order is in progress. You can cancel the order when that loan has ended without a payment.";
    case "transition_refused":
      return "This order is paid or already on its way, so it cannot be cancelled here. Please ask the shop.";
    case "not_found":
      return "This link does not open the order. Please open the full link to your order.";
    case "too_many":
      return "Too many attempts. Please wait a minute, then try again.";
    case "unavailable":
      return "The lender cannot be reached right now, so the order was not cancelled. Please try again in a moment.";
    default:
      return "The order could not be cancelled. Please try again.";
  }
}
