import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to an element, and scrolls to it, when a condition becomes true; not where it is true from the start.
 *
 * @param block where in the window the element is to stand
 */
export function useFocusWhen<Target extends HTMLElement>(
  condition: boolean,
  block: ScrollLogicalPosition,
): RefObject<Target | null> {
  const target = useRef<Target>(null);
  const before = useRef(condition);
  useEffect(() => {
    if (condition && !before.current) {
      target.current?.focus({ preventScroll: true });
      target.current?.scrollIntoView({ block });
    }
    before.current = condition;
  }, [condition, block]);
  return target;
}
