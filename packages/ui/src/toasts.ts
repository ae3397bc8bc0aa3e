import { requiredContext } from "./required-context.ts";

export interface Toast {
  readonly kind: "success" | "error";
  readonly title: string;
  readonly description: string;
}

/** The toasts of the page. Their component is loaded after the page; earlier toasts wait for it. */
export function createToasts() {
  let listening: ((toast: Toast) => void) | undefined;
  let waiting: Toast[] = [];

  function show(toast: Toast): void {
    if (listening === undefined) waiting.push(toast);
    else listening(toast);
  }
  return {
    show,
    success(title: string, description = ""): void {
      show({ kind: "success", title, description });
    },
    error(title: string, description = ""): void {
      show({ kind: "error", title, description });
    },
    /**
     * Calls the listener with the waiting toasts, then with each new toast. Returns a function that
     * unsubscribes.
     */
    listen(listener: (toast: Toast) => void): () => void {
      listening = listener;
      for (const toast of waiting) listener(toast);
      waiting = [];
      return () => {
        if (listening === listener) listening = undefined;
      };
    },
  };
}

export const [ToastsContext, useToasts] =
  requiredContext<ReturnType<typeof createToasts>>("toasts");
