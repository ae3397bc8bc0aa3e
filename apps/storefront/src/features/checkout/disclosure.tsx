import { classes } from "@keepsats/ui/classes.ts";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface DisclosureProps {
  readonly label: string;
  /** Beside the label, at the end of the row. */
  readonly value?: ReactNode;
  readonly isOpen: boolean;
  /** The id of the content, which is collapsed only in the same windows. */
  readonly controls: string;
  readonly onToggle: () => void;
}

/** The row that opens and collapses a part of the checkout in narrow windows. */
export function Disclosure({ label, value, isOpen, controls, onToggle }: DisclosureProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
      className="flex min-h-13 w-full flex-wrap items-center justify-between gap-x-4 border-y border-line text-left lg:hidden"
    >
      <span className="flex items-center gap-2">
        {label}
        <ChevronDown
          aria-hidden
          size={18}
          className={classes("text-ink-soft transition-transform", isOpen && "rotate-180")}
        />
      </span>
      {value}
    </button>
  );
}
