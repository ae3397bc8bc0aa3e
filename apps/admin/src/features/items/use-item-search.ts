import { useCallback, useRef } from "react";
import { useSearchParams } from "react-router";
import { type ItemsAction, itemsKeys } from "../../lib/screen-keys.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
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
  const focus = useCallback((_action: ItemsAction, event: KeyboardEvent) => {
    event.preventDefault();
    input.current?.focus();
  }, []);
  useShortcuts(itemsKeys, focus);
  return { typed, setTyped, input };
}
