import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useRef } from "react";

/**
 * Reports a failure in a toast if the component that would show it has left the screen, for example
 * because its dialog was closed.
 */
export function useLateFailure(): (title: string, description: string) => void {
  const toasts = useToasts();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return (title, description) => {
    if (!isMounted.current) toasts.show({ kind: "error", title, description });
  };
}
