import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { filterOf, type OrderFilter, parametersOf } from "./order-filter.ts";

/** The filter of the address, and how to change it. */
export function useFilter() {
  const [parameters, setParameters] = useSearchParams();
  const filter = useMemo(() => filterOf(parameters), [parameters]);
  const change = useCallback(
    (part: Partial<OrderFilter>) =>
      setParameters((now) => parametersOf({ ...filterOf(now), ...part }), { replace: true }),
    [setParameters],
  );
  return { filter, change };
}
