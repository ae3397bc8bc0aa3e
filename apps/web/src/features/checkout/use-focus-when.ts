import { type RefObject, useEffect, useRef } from "react";

/**
 * Focuses an element and scrolls to it when a condition becomes true. A condition that is true at
 * the first render is ignored.
 *
 * @param block the vertical position of the element after scrolling
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
