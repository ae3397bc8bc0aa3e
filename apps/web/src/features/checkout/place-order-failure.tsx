import type { Basket, FieldError } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";

interface PlaceOrderFailureProps {
  readonly errors: readonly FieldError[];
  readonly basket: Basket;
  /** A question follows that says what to do, so the message is small and not red. */
  readonly calm: boolean;
}

/** The message below the form when placing the order has failed; names items that are no longer available. */
export function PlaceOrderFailure({ errors, basket, calm }: PlaceOrderFailureProps) {
  const gone = errors.flatMap(({ path }) => {
    const line = /^items\.(\d+)/.exec(path)?.[1];
    return line === undefined ? [] : (basket[Number(line)]?.name ?? []);
  });
  return (
    <div role="alert" className={classes("mt-4", calm ? "text-sm" : "text-danger")}>
      <p>Failed to create order. Please try again.</p>
      {gone.length > 0 && <p>No longer available: {gone.join(", ")}. Please remove it from your cart.</p>}
    </div>
  );
}
