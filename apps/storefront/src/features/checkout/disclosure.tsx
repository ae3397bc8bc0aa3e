import { classes } from "@keepsats/ui/classes.ts";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

interface DisclosureProps {
  readonly label: string;
  /** Beside the label, at the end of the row. */
  readonly value?: ReactNode;
  /** By default true; otherwise the content is always open. */
  readonly isFoldable?: boolean;
  /** Classes of the content. */
  readonly className: string;
  readonly children: ReactNode;
}

/** A part of the checkout that is collapsed to one row in narrow windows, until it is opened. */
export function Disclosure(props: DisclosureProps) {
  const { label, value, isFoldable = true, className, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const content = useId();
  return (
    <>
      {isFoldable && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={() => setIsOpen(!isOpen)}
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
      )}
      <div id={content} className={classes(className, isFoldable && !isOpen && "max-lg:hidden")}>
        {children}
      </div>
    </>
  );
}
