import { type ComponentProps, createElement, useId } from "react";
import { classes } from "./classes.ts";

export const inputClasses = classes(
  "block min-h-11 w-full min-w-0 rounded-md border border-line-strong bg-raised px-3 py-2 text-ink",
  "focus-visible:rounded-md focus-visible:outline-offset-1 aria-invalid:border-danger",
  "disabled:border-line disabled:bg-sunken disabled:text-ink-soft",
);

interface FieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly className?: string | undefined;
}

export function Input(props: FieldProps & ComponentProps<"input">) {
  return <Labelled element="input" {...props} />;
}

export function TextArea(props: FieldProps & ComponentProps<"textarea">) {
  return <Labelled element="textarea" {...props} />;
}

export function Select(props: FieldProps & ComponentProps<"select">) {
  return <Labelled element="select" {...props} />;
}

/** A required text field. The line of its error is always there, so that the layout does not shift. */
export function RequiredInput({ className, ...props }: FieldProps & ComponentProps<"input">) {
  return (
    <Labelled
      element="input"
      required
      reservesError
      className={classes("pb-1.5", className)}
      {...props}
    />
  );
}

interface LabelledProps extends FieldProps {
  readonly element: "input" | "textarea" | "select";
  readonly required?: boolean | undefined;
  /** The line of the error is always there. */
  readonly reservesError?: boolean;
}

function Labelled(all: LabelledProps) {
  const { element, label, error, hint, reservesError = false, className, ...props } = all;
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {createElement(element, {
        id,
        "aria-invalid": error !== undefined || undefined,
        "aria-describedby": classes(error && `${id}-error`, hint && `${id}-hint`) || undefined,
        className: inputClasses,
        ...props,
      })}
      {(reservesError || error !== undefined) && (
        <p id={`${id}-error`} className="min-h-6 pt-0.5 text-sm text-danger">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="pt-0.5 text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
