import { useCallback, useRef } from "react";
import { type ItemsAction, itemsKeys } from "../../lib/screen-keys.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { useParameter } from "../../lib/use-parameter.ts";
import { useSearchText } from "../../lib/use-search-text.ts";

/** The search in the address (`?q=mug`). The key `/` focuses its field, `input`. */
export function useItemSearch() {
  const [searched, setSearched] = useParameter("q");
  const input = useRef<HTMLInputElement>(null);
  const search = useCallback(
    (text: string) => setSearched(text === "" ? null : text),
    [setSearched],
  );
  const [typed, setTyped] = useSearchText(searched ?? "", search);
  const focus = useCallback((_action: ItemsAction, event: KeyboardEvent) => {
    event.preventDefault();
    input.current?.focus();
  }, []);
  useShortcuts(itemsKeys, focus);
  return { typed, setTyped, input };
}
