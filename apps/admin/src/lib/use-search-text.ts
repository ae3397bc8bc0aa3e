import { useEffect, useState } from "react";

/** In milliseconds. */
const DEBOUNCE = 250;

/**
 * The text of a search field. The search follows once typing pauses, and immediately when the field
 * is cleared.
 *
 * @param text the text of the current search
 */
export function useSearchText(text: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [previous, setPrevious] = useState(text);
  const [requested, setRequested] = useState(text);
  if (text !== previous) {
    setPrevious(text);
    // Take over only what a link or the browser's buttons have changed: after a change by this
    // field, more may have been typed.
    if (text !== requested) {
      setRequested(text);
      setTyped(text);
    }
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(
      () => {
        setRequested(typed.trim());
        search(typed.trim());
      },
      typed === "" ? 0 : DEBOUNCE,
    );
    return () => clearTimeout(timer);
  }, [typed, text, search]);
  return [typed, setTyped] as const;
}
