import { call, isApiError } from "@keepsats/client";
import { orderKeyHeader, shopPaths, subscribedOrderSchema, withReturnId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import type { KeyedLink } from "../../lib/order-link.ts";

interface WithdrawReturnProps {
  readonly link: KeyedLink;
  readonly returnId: string;
  /** Called when the request is withdrawn, because the button disappears. */
  readonly onWithdrawn: () => void;
}

/** The button "Withdraw request" of a return that the shop has not answered. */
export function WithdrawReturn({ link, returnId, onWithdrawn }: WithdrawReturnProps) {
  const toasts = useToasts();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function withdraw(): Promise<void> {
    if (isSending) return;
    setIsSending(true);
    setFailure(undefined);
    try {
      await call({
        path: withReturnId(shopPaths.returnWithdrawal, link.orderId, returnId),
        method: "POST",
        headers: { [orderKeyHeader]: link.key },
        body: "{}",
        answer: subscribedOrderSchema,
      });
      toasts.show({ kind: "success", title: "Return request withdrawn", description: "" });
      onWithdrawn();
    } catch (error) {
      console.error("Failed to withdraw a return", error);
      setFailure(withdrawalFailure(error));
    } finally {
      setIsSending(false);
    }
  }

  return (
    <div className="pt-3">
      <Button aria-disabled={isSending} onClick={withdraw}>
        {isSending ? "Withdrawing…" : "Withdraw request"}
      </Button>
      <p role="alert" className={failure === undefined ? "" : "mt-2 text-danger"}>
        {failure}
      </p>
    </div>
  );
}

function withdrawalFailure(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Please try again.";
  switch (error.problem?.code) {
    case "return_changed":
      return "The shop has answered already.";
    case "too_many":
      return "Too many attempts. Please wait a minute, then try again.";
    default:
      return "The request could not be withdrawn. Please try again.";
  }
}
