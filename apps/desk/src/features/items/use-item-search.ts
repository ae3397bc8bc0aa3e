import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { isKeyForPage } from "../../lib/key-for-page.ts";
import { useTyped } from "../../lib/use-typed.ts";

/**
 * The search of the address (`?q=mug`): what is typed, and the ref of its field, which the key `/`
 * focuses.
 */
export function useItemSearch() {
  const [parameters, setParameters] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const search = useCallback(
    (text: string) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          if (text === "") next.delete("q");
          else next.set("q", text);
          return next;
        },
        { replace: true },
      ),
    [setParameters],
  );
  const [typed, setTyped] = useTyped(parameters.get("q") ?? "", search);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (
        event.key !== "/" ||
        !isKeyForPage(event, document.querySelector('[role="dialog"]') !== null)
      )
        return;
      event.preventDefault();
      input.current?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return { typed, setTyped, input };
}
