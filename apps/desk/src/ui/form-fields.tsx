import type { ComponentProps, ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { Form } from "../lib/form.ts";
import { Conflict } from "./conflict.tsx";
import { Input, TextArea } from "./input.tsx";

interface FormFieldProps<Values extends FieldValues> {
  readonly form: Form<Values>;
  readonly name: Path<Values> & keyof Form<Values>["labels"];
  /** The person who has stored another value, and when. */
  readonly who?: ReactNode;
  /** Of the field with its conflict. */
  readonly className?: string;
}

/** Set by the form; another one would disconnect the field from it. */
type Own =
  | "label"
  | "error"
  | "value"
  | "onChange"
  | "onBlur"
  | "ref"
  | keyof FormFieldProps<FieldValues>;

/** A text field of a form, with its error and its conflict. */
export function TextField<Values extends FieldValues>({
  form,
  name,
  who,
  className,
  ...props
}: FormFieldProps<Values> & Omit<ComponentProps<typeof Input>, Own>) {
  return (
    <div className={className}>
      <Input
        label={form.labels[name]}
        error={form.errorOf(name)}
        {...form.register(name)}
        {...props}
      />
      <FieldConflictChoice form={form} name={name} who={who} />
    </div>
  );
}

/** A field of a form for a text of several lines, with its error and its conflict. */
export function LongTextField<Values extends FieldValues>({
  form,
  name,
  who,
  className,
  ...props
}: FormFieldProps<Values> & Omit<ComponentProps<typeof TextArea>, Own>) {
  return (
    <div className={className}>
      <TextArea
        label={form.labels[name]}
        error={form.errorOf(name)}
        {...form.register(name)}
        {...props}
      />
      <FieldConflictChoice form={form} name={name} who={who} />
    </div>
  );
}

/** The conflict of a text field. A choice returns the focus to the field. */
function FieldConflictChoice<Values extends FieldValues>({
  form,
  name,
  who,
}: FormFieldProps<Values>) {
  const conflict = form.conflicts.find((one) => one.name === name);
  return <Conflict conflict={conflict} who={who} onChosen={() => form.setFocus(name)} />;
}
