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
  const [asked, setAsked] = useState(text);
  if (text !== searched) {
    setSearched(text);
    // Otherwise a link or the browser's buttons changed the address. More may have been typed since
    // this field changed it.
    if (text !== asked) {
      setAsked(text);
      setTyped(text);
    }
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(
      () => {
        setAsked(typed.trim());
        search(typed.trim());
      },
      typed === "" ? 0 : TYPING_PAUSE,
    );
    return () => clearTimeout(timer);
  }, [typed, text, search]);
  return [typed, setTyped] as const;
}
