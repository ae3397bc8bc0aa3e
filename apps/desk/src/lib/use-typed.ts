import { useEffect, useState } from "react";

/** The pause in typing after which is searched, in milliseconds. */
const TYPING_PAUSE = 250;

/**
 * What is typed into the search: the filter follows when the typing pauses, and at once when it is
 * cleared.
 */
export function useTyped(text: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [searched, setSearched] = useState(text);
  if (text !== searched) {
    // The address was changed by a link or by the browser's buttons.
    setSearched(text);
    if (text !== typed.trim()) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => search(typed.trim()), typed === "" ? 0 : TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed, text, search]);
  return [typed, setTyped] as const;
}
