import { requiredContext } from "./required-context.ts";

export interface Toast {
  readonly kind: "success" | "error";
  readonly title: string;
  readonly description: string;
}

/** The toasts of the page. Their component is loaded after the page; earlier toasts wait for it. */
export interface Toasts {
  show(toast: Toast): void;
  /**
   * Calls the listener with the waiting toasts, then with each new toast. @returns a function that
   * unsubscribes
   */
  listen(listener: (toast: Toast) => void): () => void;
}

/** How long a toast waits for a listener, in milliseconds: as long as a toast is shown. */
const MAX_WAIT = 4_000;

/** @param now a clock in milliseconds */
export function createToasts(now: () => number): Toasts {
  let listening: ((toast: Toast) => void) | undefined;
  let waiting: { readonly toast: Toast; readonly since: number }[] = [];

  return {
    show(toast) {
      if (listening === undefined) waiting.push({ toast, since: now() });
      else listening(toast);
    },
    listen(listener) {
      listening = listener;
      for (const { toast, since } of waiting) if (now() - since < MAX_WAIT) listener(toast);
      waiting = [];
      return () => {
        if (listening === listener) listening = undefined;
      };
    },
  };
}

export const [ToastsContext, useToasts] = requiredContext<Toasts>("toasts");
