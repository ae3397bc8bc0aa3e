import { createContext, use, useEffect } from "react";

/** Stops steps in the browser's history, such as by its Back button, from leaving a screen. */
export interface HistoryGuard {
  /**
   * Reverts each step that would leave the current screen and reports it.
   *
   * @param onLeave gets the step, which `history.go` makes if staff decide to leave, or the path of
   *   {@link HistoryGuard.stops}
   * @returns a function that ends the guard
   */
  guard(onLeave: (to: number | string) => void): () => void;
  /**
   * Whether a guard stops a command that opens a path: on another screen. The guard then reports the
   * path.
   */
  stops(path: string): boolean;
}

/**
 * A page cannot prevent a step in the history, so the guard reverts it before the router handles
 * it. Create the guard before the router: the window calls its listeners in the order of
 * registration.
 */
export function createHistoryGuard(window: Window): HistoryGuard {
  let onLeave: ((to: number | string) => void) | undefined;
  let pathname: string | undefined;
  let present: unknown;

  window.addEventListener("popstate", (event) => {
    if (onLeave === undefined) return;
    if (window.location.pathname === pathname) {
      present = event.state;
      return;
    }
    const step = historyStep(present, event.state);
    if (step === undefined) return;
    event.stopImmediatePropagation();
    window.history.go(-step);
    onLeave(step);
  });

  return {
    guard(listener) {
      onLeave = listener;
      ({ pathname } = window.location);
      present = window.history.state;
      return () => {
        if (onLeave === listener) onLeave = undefined;
      };
    },
    stops(path) {
      if (onLeave === undefined || path.replace(/[?#].*/, "") === pathname) return false;
      onLeave(path);
      return true;
    },
  };
}

export const HistoryGuardContext = createContext<HistoryGuard | undefined>(undefined);

/**
 * Guards the history while a component is mounted.
 *
 * @param onLeave as for {@link HistoryGuard.guard}; must be a stable function
 */
export function useGuardedHistory(onLeave: (to: number | string) => void): void {
  const history = use(HistoryGuardContext);
  useEffect(() => history?.guard(onLeave), [history, onLeave]);
}

/**
 * The number of entries between two states of the browser's history: -1 for one step back.
 * `undefined` if the router did not create one of the entries, for example after a link within the
 * page.
 */
export function historyStep(from: unknown, to: unknown): number | undefined {
  const [before, after] = [indexOf(from), indexOf(to)];
  if (before === undefined || after === undefined || before === after) return undefined;
  return after - before;
}

/** The router numbers its entries in their state. */
function indexOf(state: unknown): number | undefined {
  const index: unknown = Reflect.get(Object(state), "idx");
  return typeof index === "number" ? index : undefined;
}

interface Click {
  readonly button: number;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

interface ClickedLink {
  readonly href: string;
  readonly target: string;
  readonly download: string;
}

/**
 * The path to which a click on a link leaves the current screen in this tab; `undefined` if the
 * click stays, or opens another tab, a download or another site.
 *
 * @param here the address of the current screen
 */
export function leavingPath(click: Click, link: ClickedLink, here: string): string | undefined {
  const opensElsewhere = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
  if (click.button !== 0 || opensElsewhere || link.download !== "") return undefined;
  if (link.target !== "" && link.target !== "_self") return undefined;
  const [from, to] = [URL.parse(here), URL.parse(link.href)];
  if (from === null || to === null || to.origin !== from.origin || to.pathname === from.pathname)
    return undefined;
  return `${to.pathname}${to.search}${to.hash}`;
}
