import { Button } from "@keepsats/ui/button.tsx";
import { readFailureText } from "../../lib/api.ts";
import type { OrderFilter } from "./order-filter.ts";
import { useMoreOrders } from "./orders-queries.ts";

/** Loads the next page of the list. */
export function ShowMore({ filter }: { filter: OrderFilter }) {
  const { mutate, isPending, error } = useMoreOrders(filter);
  return (
    <div className="py-5 text-center">
      <p role="alert" className={error === null ? "sr-only" : "mb-3 text-danger"}>
        {error !== null && readFailureText(error)}
      </p>
      <Button onClick={() => isPending || mutate()} aria-disabled={isPending}>
        {isPending ? "Loading…" : "Show more"}
      </Button>
    </div>
  );
}
