import { Button } from "@keepsats/ui/button.tsx";

interface ShowMoreProps {
  readonly isLoading: boolean;
  readonly onClick: () => void;
}

/** The button that loads the next page of a list. */
export function ShowMore({ isLoading, onClick }: ShowMoreProps) {
  return (
    <Button onClick={() => isLoading || onClick()} aria-disabled={isLoading}>
      {isLoading ? "Loading…" : "Show more"}
    </Button>
  );
}
