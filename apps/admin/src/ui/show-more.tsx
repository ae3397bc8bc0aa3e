import { Button } from "@keepsats/ui/button.tsx";

interface ShowMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** The button that loads the next page of a list; nothing after the last page. */
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
