import { isReturnState, linesText, type ReturnState, returnStateLabels } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import type { ReactNode } from "react";

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

interface ReturnsProps extends Pick<SubscribedOrder, "items" | "returns"> {
  /** Nothing is left to refund. */
  readonly isPriceRefunded: boolean;
  /** The button of a requested return. */
  readonly withdraw: (returnId: string) => ReactNode;
}

/** The returns of an order, newest first; nothing without returns. */
export function Returns({ items, returns = [], isPriceRefunded, withdraw }: ReturnsProps) {
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
              {state === "requested" && withdraw(id)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
