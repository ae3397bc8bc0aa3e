import { createContext, use, useEffect } from "react";

/** Keeps steps in the browser's history, such as by its Back button, from leaving a screen. */
export interface HistoryGuard {
  /**
   * From now on a step that leaves the present screen is taken back, and told instead.
   *
   * @param onStep gets the step, to be made with `history.go` by whoever leaves
   * @returns a function that ends it
   */
  guard(onStep: (step: number) => void): () => void;
}

/**
 * A browser does not let a page prevent a step, so the guard goes back before the router hears of
 * the step. It must be created before the router, because listeners of the window are called in
 * their order.
 */
export function createHistoryGuard(window: Window): HistoryGuard {
  let onStep: ((step: number) => void) | undefined;
  let pathname: string | undefined;
  let present: unknown;

  window.addEventListener("popstate", (event) => {
    if (onStep === undefined) return;
    if (window.location.pathname === pathname) {
      present = event.state;
      return;
    }
    const step = historyStep(present, event.state);
    if (step === undefined) return;
    event.stopImmediatePropagation();
    window.history.go(-step);
    onStep(step);
  });

  return {
    guard(tell) {
      onStep = tell;
      ({ pathname } = window.location);
      present = window.history.state;
      return () => {
        if (onStep === tell) onStep = undefined;
      };
    },
  };
}

export const HistoryGuardContext = createContext<HistoryGuard | undefined>(undefined);

/**
 * Guards the history while a component is shown. @param onStep as for {@link HistoryGuard.guard};
 * it stays the same function
 */
export function useGuardedHistory(onStep: (step: number) => void): void {
  const history = use(HistoryGuardContext);
  useEffect(() => history?.guard(onStep), [history, onStep]);
}

/**
 * How many entries of the browser's history lie between two of them: -1 for the one before.
 * `undefined` if it is not known, because an entry was not made by the router, such as that of a
 * link within the page.
 *
 * @param from the state of the entry that was left
 * @param to the state of the entry that was entered
 */
export function historyStep(from: unknown, to: unknown): number | undefined {
  const [before, after] = [indexOf(from), indexOf(to)];
  if (before === undefined || after === undefined || before === after) return undefined;
  return after - before;
}

/** The router counts its entries in their state. */
function indexOf(state: unknown): number | undefined {
  const index: unknown = Reflect.get(Object(state), "idx");
  return typeof index === "number" ? index : undefined;
}
