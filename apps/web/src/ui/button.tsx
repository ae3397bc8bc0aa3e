import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

export type ButtonKind = "forward" | "strong" | "plain";

const kinds: Record<ButtonKind, string> = {
  forward: "border-accent-edge bg-accent text-on-accent hover:not-disabled:bg-accent-strong",
  strong: "border-transparent bg-ink text-paper hover:not-disabled:bg-ink-strong",
  plain: "border-line-strong text-ink hover:not-disabled:bg-sunken",
};

/**
 * The looks of a button, for links that act like one. `forward` moves the purchase on and is the only one in the accent;
 * `strong` is the main action of what it belongs to.
 */
export function buttonClasses(kind: ButtonKind): string {
  return classes(
    "inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-5 py-2 font-medium",
    "transition-colors focus-visible:rounded-md",
    "disabled:cursor-not-allowed disabled:border-transparent disabled:bg-sunken disabled:text-ink-soft",
    kinds[kind],
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: ButtonKind;
}

/** A button; it submits no form unless it is told to. */
export function Button({ kind = "plain", className, type = "button", ...props }: ButtonProps) {
  return <button type={type} className={classes(buttonClasses(kind), className)} {...props} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** What it does, for those who do not see the icon. */
  readonly label: string;
}

/** A round button that shows an icon alone. */
export function IconButton({ label, className, children, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={classes(
        "inline-flex size-11 shrink-0 items-center justify-center rounded-full text-ink-soft",
        "transition-colors hover:bg-sunken hover:text-ink focus-visible:rounded-full",
        className,
      )}
      {...props}
    >
      {children}
    </button>
  );
}
