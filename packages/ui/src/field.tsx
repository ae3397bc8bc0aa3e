import { type ComponentProps, useId } from "react";
import { classes } from "./classes.ts";
import { inputClasses } from "./input.tsx";

interface FieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly error?: string | undefined;
}

/**
 * A labelled, required text field with its error message below. The line of the message is always
 * reserved, so that the layout does not shift.
 */
export function Field({ label, error, className, ...props }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={classes("pb-1.5", className)}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        required
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : errorId}
        className={classes(
          inputClasses,
          "disabled:border-line disabled:bg-sunken disabled:text-ink-soft",
        )}
        {...props}
      />
      <p id={errorId} className="min-h-6 pt-0.5 text-sm text-danger">
        {error}
      </p>
    </div>
  );
}
