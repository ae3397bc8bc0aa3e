import { shortOrderId } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import type { NotReplaced } from "./use-place-order.ts";

/** @returns `undefined` if the failure is not about the order to replace */
function whyNotReplaced({ orderId, problem }: NotReplaced): string | undefined {
  const order = `order #${shortOrderId(orderId)}`;
  switch (problem) {
    case "loan_under_way":
      return `A loan for ${order} is active, so that order was not replaced.`;
    case "transition_refused":
      return `A payment for ${order} has arrived, so that order was not replaced.`;
    case "unavailable":
      return `The lender cannot be asked about a loan for ${order} right now, so that order was not replaced.`;
    case "not_found":
      return `The link to ${order} is no longer valid, so that order was not replaced.`;
    default:
      return undefined;
  }
}

interface PlaceOrderFailureProps {
  readonly notReplaced: NotReplaced | undefined;
  /** A question follows that says what to do, so the message is small and not red. */
  readonly calm: boolean;
}

/** The message below the form when placing the order has failed. */
export function PlaceOrderFailure({ notReplaced, calm }: PlaceOrderFailureProps) {
  return (
    <div role="alert" className={classes("mt-4", calm ? "text-sm" : "text-danger")}>
      <p>Failed to create order. Please try again.</p>
      {notReplaced !== undefined && <p>{whyNotReplaced(notReplaced)}</p>}
    </div>
  );
}
