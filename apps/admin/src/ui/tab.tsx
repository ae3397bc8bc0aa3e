import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";

interface TabProps {
  readonly isPressed: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button above a list that selects its contents. */
export function Tab({ isPressed, onClick, children }: TabProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onClick}
      className={classes(
        "-mb-px flex min-h-11 items-center gap-2 border-b-2 px-3 whitespace-nowrap transition-colors",
        isPressed ? "border-ink font-medium" : "border-transparent text-ink-soft hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
