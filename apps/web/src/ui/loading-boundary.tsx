import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { type ReactNode, Suspense } from "react";

interface LoadingBoundaryProps {
  /** The subject of the error message; see {@link ErrorBoundary}. */
  readonly what: string;
  /** Makes the failed code load again. */
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/**
 * Shows "Loading…" while the code of lazy children loads, and a message with a button if it cannot
 * be loaded.
 */
export function LoadingBoundary({ what, onRetry, children }: LoadingBoundaryProps) {
  return (
    <ErrorBoundary what={what} onRetry={onRetry}>
      <Suspense fallback={<p className="text-ink-soft">Loading…</p>}>{children}</Suspense>
    </ErrorBoundary>
  );
}
