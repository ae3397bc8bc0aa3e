import type { Basket, FieldError } from "@keepsats/domain";

/** Why there is no order, below the form. */
export function PlaceOrderFailure({ errors, basket }: { errors: readonly FieldError[]; basket: Basket }) {
  const gone = errors.flatMap(({ path }) => {
    const line = /^items\.(\d+)/.exec(path)?.[1];
    return line === undefined ? [] : (basket[Number(line)]?.name ?? []);
  });
  return (
    <div role="alert" className="mt-4 text-danger">
      <p>Failed to create order. Please try again.</p>
      {gone.length > 0 && (
        <p>Not available any more: {gone.join(", ")}. Go back to the shop and take it out of your cart.</p>
      )}
    </div>
  );
}
