import { useEffect, useState } from "react";

/** How long a sign stays, in milliseconds. */
const SHOWN_FOR = 4_000;

/** Whether something was just saved, and a function that says so. */
export function useSavedSign(): readonly [isShown: boolean, show: () => void] {
  const [count, setCount] = useState(0);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(() => setIsShown(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [count]);

  function show(): void {
    setIsShown(true);
    setCount((now) => now + 1);
  }
  return [isShown, show];
}
