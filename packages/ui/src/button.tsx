import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

export type ButtonKind = "forward" | "strong" | "plain" | "danger";

const kinds: Record<ButtonKind, string> = {
  forward: "border-accent-edge bg-accent text-on-accent hover:not-disabled:bg-accent-strong",
  strong: "border-transparent bg-ink text-paper hover:not-disabled:bg-ink-strong",
  plain: "border-line-strong text-ink hover:not-disabled:bg-sunken",
  danger: "border-danger text-danger hover:not-disabled:bg-sunken",
};

/**
 * The classes of a button, also for links that look like one. `forward`: the next step of the
 * purchase, the only one in the accent colour. `strong`: the main action of a section, such as a
 * product's "Add to Cart". `danger`: an action that cannot be undone.
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

/** A button. Inside a form it submits only with `type="submit"`. */
export function Button({ kind = "plain", className, type = "button", ...props }: ButtonProps) {
  return <button type={type} className={classes(buttonClasses(kind), className)} {...props} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** For screen readers. */
  readonly label: string;
}

/** A round button with an icon and no visible text. */
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
