import { isReturnState, linesText, type ReturnState, returnStateLabels } from "@keepsats/domain";
import { type SubscribedOrder, shopPaths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { useOrderAction } from "./order-action.ts";

const descriptions: Readonly<Record<ReturnState, string>> = {
  requested: "The shop will answer by email.",
  accepted: "The shop will refund you once the items have arrived.",
  received: "The shop will check the items and write to you again.",
  refunded: "It may take a few days to arrive.",
  completed: "",
  declined: "",
  withdrawn: "",
};

/** The texts about a return. For a state that this page does not know, they name the state. */
function stateText(state: string, isPriceRefunded: boolean) {
  if (!isReturnState(state)) return { title: `Return ${state}`, description: "" };
  const promisesRefund = state === "accepted" || state === "received";
  return {
    title: returnStateLabels[state],
    description:
      promisesRefund && isPriceRefunded
        ? "The shop has already refunded the price of your order."
        : descriptions[state],
  };
}

interface ReturnsProps {
  readonly order: SubscribedOrder;
  /** Nothing is left to refund. */
  readonly isPriceRefunded: boolean;
  /** `undefined` without the order's key: then no request can be withdrawn. */
  readonly link: KeyedLink | undefined;
  /** Called when a request is withdrawn, because its button disappears. */
  readonly onWithdrawn: () => void;
}

/** The returns of an order, newest first; nothing without returns. */
export function Returns({ order, isPriceRefunded, link, onWithdrawn }: ReturnsProps) {
  const { items, returns = [] } = order;
  if (returns.length === 0) return null;
  return (
    <section aria-labelledby="returns" className="print:hidden">
      <h2 id="returns" className="mb-2 text-lg">
        Returns
      </h2>
      <ul aria-live="polite" className="divide-y divide-line border-y border-line">
        {returns.toReversed().map(({ id, state, lines, message }) => {
          const { title, description } = stateText(state, isPriceRefunded);
          return (
            <li key={id} className="py-4">
              <p className="font-medium">{title}</p>
              <p className="wrap-anywhere">{linesText(items, lines)}</p>
              {description !== "" && <p className="text-ink-soft">{description}</p>}
              {message !== null && (
                <p className="mt-2 max-w-prose border-l-4 border-line-strong pl-4 whitespace-pre-line wrap-anywhere">
                  <span className="sr-only">Message from the shop: </span>
                  {message}
                </p>
              )}
              {state === "requested" && link && (
                <WithdrawReturn link={link} returnId={id} onWithdrawn={onWithdrawn} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface WithdrawReturnProps {
  readonly link: KeyedLink;
  readonly returnId: string;
  readonly onWithdrawn: () => void;
}

/** The button "Withdraw request" of a return that the shop has not answered. */
function WithdrawReturn({ link, returnId, onWithdrawn }: WithdrawReturnProps) {
  const { isSending, failure, send } = useOrderAction(link, withdrawalFailure);

  async function withdraw(): Promise<void> {
    const path = withId(shopPaths.returnWithdrawal, link.orderId, returnId);
    if (await send({ path }, "Return request withdrawn")) onWithdrawn();
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
