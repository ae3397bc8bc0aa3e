import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Days of the shop's time zone such as `2026-11-23`; empty for no limit. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Whether a text is a day such as `2026-11-23`. */
export function isDay(text: string): boolean {
  return day.test(text);
}

/** The day of an address; empty if it is invalid. */
export function dayOf(text: string): string {
  return isDay(text) ? text : "";
}

/** Parameters without the empty ones. */
export function filledParameters(named: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ""));
}

export function withParameters(path: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

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
