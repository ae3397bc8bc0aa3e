import type { Basket, FieldError } from "@keepsats/domain";

/** The message below the form when placing the order has failed; names items that are no longer available. */
export function PlaceOrderFailure({ errors, basket }: { errors: readonly FieldError[]; basket: Basket }) {
  const gone = errors.flatMap(({ path }) => {
    const line = /^items\.(\d+)/.exec(path)?.[1];
    return line === undefined ? [] : (basket[Number(line)]?.name ?? []);
  });
  return (
    <div role="alert" className="mt-4 text-danger">
      <p>Failed to create order. Please try again.</p>
      {gone.length > 0 && <p>No longer available: {gone.join(", ")}. Please remove it from your cart.</p>}
    </div>
  );
}
