import { createContext, use } from "react";

/** A message that rises and fades by itself. */
export interface Toast {
  readonly kind: "success" | "error";
  readonly title: string;
  readonly description: string;
}

/** The messages of the page. What shows them is loaded after the page, so those that come before it wait. */
export interface Toasts {
  show(toast: Toast): void;
  /** Hears of each message, beginning with those that wait. @returns a function that ends it */
  listen(listener: (toast: Toast) => void): () => void;
}

/** How long a message may wait to be shown, in milliseconds: as long as it would be there. */
const STALE = 4_000;

/** Made once, by the app. @param now a clock in milliseconds */
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
      for (const { toast, since } of waiting) if (now() - since < STALE) listener(toast);
      waiting = [];
      return () => {
        if (listening === listener) listening = undefined;
      };
    },
  };
}

export const ToastsContext = createContext<Toasts | undefined>(undefined);

export function useToasts(): Toasts {
  const toasts = use(ToastsContext);
  if (toasts === undefined) throw new Error("there are no toasts above this component");
  return toasts;
}
