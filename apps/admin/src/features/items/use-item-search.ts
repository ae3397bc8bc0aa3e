import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { isShortcut } from "../../lib/shortcut-key.ts";
import { useSearchText } from "../../lib/use-search-text.ts";

/** The search in the address (`?q=mug`). The key `/` focuses its field, `input`. */
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
  const [typed, setTyped] = useSearchText(parameters.get("q") ?? "", search);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (
        event.key !== "/" ||
        !isShortcut(event, document.querySelector('[role="dialog"]') !== null)
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
