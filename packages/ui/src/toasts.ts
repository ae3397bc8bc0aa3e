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

export function createToasts(): Toasts {
  let listening: ((toast: Toast) => void) | undefined;
  let waiting: Toast[] = [];

  return {
    show(toast) {
      if (listening === undefined) waiting.push(toast);
      else listening(toast);
    },
    listen(listener) {
      listening = listener;
      for (const toast of waiting) listener(toast);
      waiting = [];
      return () => {
        if (listening === listener) listening = undefined;
      };
    },
  };
}

export const [ToastsContext, useToasts] = requiredContext<Toasts>("toasts");
