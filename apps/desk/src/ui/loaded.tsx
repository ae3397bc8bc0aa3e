import { Button } from "@keepsats/ui/button.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readFailureText } from "../lib/api.ts";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isFetching" | "refetch">;
  /** What is loaded, as in "The orders could not be read." */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows what a query has read; until then that it is loading, or that it failed with a button that
 * tries again.
 */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined)
    return (
      <>
        {error !== null && (
          <Failed what={what} error={error} isTrying={isFetching} onRetry={refetch} />
        )}
        {children(data)}
      </>
    );
  if (error !== null)
    return <Failed what={what} error={error} isTrying={isFetching} onRetry={refetch} />;
  return <Loading />;
}

/** Says that something is loading. */
export function Loading() {
  return <p className="py-8 text-ink-soft">Loading…</p>;
}

interface FailedProps {
  readonly what: string;
  readonly error: unknown;
  readonly isTrying: boolean;
  readonly onRetry: () => void;
}

/** Says that something could not be read and why, with a button that tries again. */
export function Failed({ what, error, isTrying, onRetry }: FailedProps) {
  return (
    <div role="alert" className="my-4 border-y border-line py-5">
      <p className="font-medium text-danger">{what} could not be read.</p>
      <p className="mb-4 text-ink-soft">{readFailureText(error)}</p>
      <Button onClick={() => onRetry()} aria-disabled={isTrying}>
        {isTrying ? "Trying…" : "Try again"}
      </Button>
    </div>
  );
}

/** Says that a list has nothing, and what that means. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="py-8 text-center text-ink-soft">{children}</p>;
}
