import { requiredContext } from "./required-context.ts";

export interface Toast {
  readonly kind: "success" | "error";
  readonly title: string;
  readonly description: string;
}

/** The toasts of the page. Their component is loaded after the page; earlier toasts wait for it. */
export interface Toasts {
  show(toast: Toast): void;
  success(title: string, description?: string): void;
  error(title: string, description?: string): void;
  /**
   * Calls the listener with the waiting toasts, then with each new toast. Returns a function that
   * unsubscribes.
   */
  listen(listener: (toast: Toast) => void): () => void;
}

export function createToasts(): Toasts {
  let listening: ((toast: Toast) => void) | undefined;
  let waiting: Toast[] = [];

  function show(toast: Toast): void {
    if (listening === undefined) waiting.push(toast);
    else listening(toast);
  }
  return {
    show,
    success: (title, description = "") => show({ kind: "success", title, description }),
    error: (title, description = "") => show({ kind: "error", title, description }),
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
