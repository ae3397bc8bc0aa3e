import { classes } from "@keepsats/ui/classes.ts";
import { type ComponentProps, type ReactNode, useId } from "react";

export const inputClasses = classes(
  "block min-h-11 w-full min-w-0 rounded-md border border-line-strong bg-raised px-3 py-2 text-ink",
  "focus-visible:rounded-md focus-visible:outline-offset-1 aria-invalid:border-danger",
);

interface FieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** Shown below the field. */
  readonly hint?: string | undefined;
  /** The class of the element around label, field, error and hint. */
  readonly className?: string | undefined;
}

/** A single-line text field with its label, error and hint. */
export function Input({
  label,
  error,
  hint,
  className,
  ...props
}: FieldProps & ComponentProps<"input">) {
  return (
    <Labelled label={label} error={error} hint={hint} className={className}>
      {(field) => <input {...field} {...props} />}
    </Labelled>
  );
}

/** A multi-line text field with its label, error and hint. */
export function TextArea({
  label,
  error,
  hint,
  className,
  ...props
}: FieldProps & ComponentProps<"textarea">) {
  return (
    <Labelled label={label} error={error} hint={hint} className={className}>
      {(field) => <textarea {...field} {...props} />}
    </Labelled>
  );
}

/** A selection from a few options, with its label, error and hint. */
export function Select({
  label,
  error,
  hint,
  className,
  ...props
}: FieldProps & ComponentProps<"select">) {
  return (
    <Labelled label={label} error={error} hint={hint} className={className}>
      {(field) => <select {...field} {...props} />}
    </Labelled>
  );
}

interface LabelledProps extends FieldProps {
  /** Renders the field with the attributes that bind it to its label, error and hint. */
  readonly children: (
    field: Pick<ComponentProps<"input">, "id" | "aria-invalid" | "aria-describedby" | "className">,
  ) => ReactNode;
}

function Labelled({ label, error, hint, className, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error !== undefined || undefined,
        "aria-describedby": classes(error && `${id}-error`, hint && `${id}-hint`) || undefined,
        className: inputClasses,
      })}
      <FieldError id={`${id}-error`} error={error} />
      <FieldHint id={`${id}-hint`} hint={hint} />
    </div>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={id} className="pt-0.5 text-sm text-danger">
      {error}
    </p>
  );
}

function FieldHint({ id, hint }: { id: string; hint: string | undefined }) {
  if (hint === undefined) return null;
  return (
    <p id={id} className="pt-0.5 text-sm text-ink-soft">
      {hint}
    </p>
  );
}
