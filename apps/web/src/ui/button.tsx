import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

export type ButtonKind = "forward" | "plain" | "quiet";

const kinds: Record<ButtonKind, string> = {
  forward:
    "border border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-strong disabled:border-dashed disabled:border-line-strong disabled:bg-transparent disabled:text-ink-soft",
  plain:
    "border border-line-strong text-ink hover:not-disabled:bg-sunken disabled:border-line disabled:text-ink-soft",
  quiet:
    "border border-transparent bg-sunken text-ink hover:not-disabled:bg-ink hover:not-disabled:text-paper disabled:text-ink-soft",
};

/** The looks of a button, for links that act like one. `forward` moves the purchase on and is the only one in the accent. */
export function buttonClasses(kind: ButtonKind): string {
  return classes(
    "inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-5 py-2 font-medium",
    "transition-colors focus-visible:rounded-md disabled:cursor-not-allowed",
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

/** A small round button that shows an icon alone. */
export function IconButton({ label, className, children, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={classes(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-full text-ink-soft",
        "transition-colors hover:bg-sunken hover:text-ink focus-visible:rounded-full",
        className,
      )}
      {...props}
    >
      {children}
    </button>
  );
}
