import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

interface Listed {
  readonly id: string;
}

interface Shown<Data> {
  /** What was made, with a secret that is shown; `undefined` while none is. */
  readonly made: Listed | undefined;
  /** The list that it belongs to. */
  readonly query: UseQueryResult<Data>;
  readonly listed: (data: Data) => readonly Listed[];
  readonly drop: () => void;
}

/**
 * Drops a secret that is shown once what it belongs to is withdrawn or deleted: it does not work
 * any more.
 */
export function useDropWhenGone<Data>({ made, query, listed, drop }: Shown<Data>): void {
  const { data, isFetching, isError } = query;
  // While it is read again, the list may be older than what was made.
  const isRead = data !== undefined && !isFetching && !isError;
  const isGone = made !== undefined && isRead && listed(data).every(({ id }) => id !== made.id);
  useEffect(() => {
    if (isGone) drop();
  }, [isGone, drop]);
}
