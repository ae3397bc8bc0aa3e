import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** A parameter of the address; `null` without it. The function that sets it is stable. */
export function useParameter(name: string) {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (value: string | null) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [name, setParameters],
  );
  return [parameters.get(name), set] as const;
}
