import { shopPaths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { useOrderAction } from "./order-action.ts";

interface WithdrawReturnProps {
  readonly link: KeyedLink;
  readonly returnId: string;
  /** Called when the request is withdrawn, because the button disappears. */
  readonly onWithdrawn: () => void;
}

/** The button "Withdraw request" of a return that the shop has not answered. */
export function WithdrawReturn({ link, returnId, onWithdrawn }: WithdrawReturnProps) {
  const { isSending, failure, send } = useOrderAction(link, withdrawalFailure);

  async function withdraw(): Promise<void> {
    const path = withId(shopPaths.returnWithdrawal, link.orderId, returnId);
    if (await send({ path }, { title: "Return request withdrawn", description: "" })) onWithdrawn();
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
  return problemOf(error)?.code === "return_changed"
    ? "The shop has answered already."
    : failureText(error, "The request could not be withdrawn.");
}
