import { useEffect } from "react";

/**
 * For a button that goes with what it was about: if it had the focus, whoever uses the keyboard
 * goes on from the beginning of the screen.
 */
export function useFocusKept(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.getElementById("main")?.focus({ preventScroll: true });
    },
    [],
  );
}
