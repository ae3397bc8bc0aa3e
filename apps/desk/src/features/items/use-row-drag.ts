import { useMemo, useRef, useState } from "react";

/**
 * What a row does when something is dragged. The functions stay the same, so that rows are not
 * rendered for them.
 */
export interface RowDrag {
  start(id: string): void;
  /** @returns whether a row is dragged, and not something else */
  over(id: string): boolean;
  drop(place: number): void;
  end(): void;
}

/** Follows a row that is dragged. @param onMove stays the same function */
export function useRowDrag(onMove: (id: string, to: number) => void) {
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<string>();
  const present = useRef<string>(undefined);
  const drag = useMemo((): RowDrag => {
    function set(id: string | undefined): void {
      present.current = id;
      setDragged(id);
      setTarget(undefined);
    }
    return {
      start: set,
      over(id) {
        if (present.current !== undefined) setTarget(id);
        return present.current !== undefined;
      },
      drop(place) {
        if (present.current !== undefined) onMove(present.current, place);
        set(undefined);
      },
      end: () => set(undefined),
    };
  }, [onMove]);
  return { dragged, target, drag };
}
