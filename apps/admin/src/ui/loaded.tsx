import { Button } from "@keepsats/ui/button.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { loadErrorText } from "../lib/api.ts";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isFetching" | "refetch">;
  /** The subject of the error message, as in "The orders could not be loaded." */
  readonly subject: string;
  /** Nothing is shown of the data without it. */
  readonly children?: (data: Data) => ReactNode;
}

/**
 * Renders the data of a query; without data its loading state, or its error with a retry button.
 */
export function Loaded<Data>({ query, subject, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  return (
    <>
      {error !== null && (
        <Failed subject={subject} error={error} isTrying={isFetching} onRetry={refetch} />
      )}
      {data === undefined ? error === null && <Loading /> : children?.(data)}
    </>
  );
}

export function Loading() {
  return <p className="py-8 text-ink-soft">Loading…</p>;
}

interface FailedProps {
  readonly subject: string;
  readonly error: unknown;
  readonly isTrying: boolean;
  readonly onRetry: () => void;
}

export function Failed({ subject, error, isTrying, onRetry }: FailedProps) {
  return (
    <div role="alert" className="my-4 border-y border-line py-5">
      <p className="font-medium text-danger">{subject} could not be loaded.</p>
      <p className="mb-4 text-ink-soft">{loadErrorText(error)}</p>
      <Button onClick={() => onRetry()} aria-disabled={isTrying}>
        {isTrying ? "Trying…" : "Try again"}
      </Button>
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="py-8 text-center text-ink-soft">{children}</p>;
}

interface ShowMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

export function ShowMore({ query }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage: isLoading, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <div className="py-5 text-center">
      <Button onClick={() => isLoading || void fetchNextPage()} aria-disabled={isLoading}>
        {isLoading ? "Loading…" : "Show more"}
      </Button>
    </div>
  );
}
