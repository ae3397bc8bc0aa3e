import { carriers } from "@keepsats/domain";
import type { ComponentProps, ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { Form } from "../lib/form.ts";
import { Conflict } from "./conflict.tsx";
import { Input, TextArea } from "./input.tsx";

interface FormFieldProps<Values extends FieldValues> {
  readonly form: Form<Values>;
  readonly name: Path<Values> & keyof Form<Values>["labels"];
  /** Who stored another value, and when. */
  readonly who?: ReactNode;
  /** The classes of the field and its conflict. */
  readonly className?: string;
}

interface TextFieldProps<Values extends FieldValues>
  extends FormFieldProps<Values>,
    Pick<
      ComponentProps<typeof Input>,
      "type" | "inputMode" | "placeholder" | "maxLength" | "autoComplete" | "hint" | "list"
    > {
  /** The height in lines; a single-line field by default. */
  readonly rows?: number | undefined;
}

/** A text field of a form, with its error and its conflict. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, who, className, rows, ...rest } = props;
  const field = {
    label: form.labels[name],
    error: form.errorOf(name),
    readOnly: form.isReadOnly,
    ...form.register(name),
    ...rest,
  };
  return (
    <div className={className}>
      {rows === undefined ? <Input {...field} /> : <TextArea rows={rows} {...field} />}
      <FieldConflictChoice form={form} name={name} who={who} />
    </div>
  );
}

/** After a choice the focus returns to the field. */
function FieldConflictChoice<Values extends FieldValues>({
  form,
  name,
  who,
}: FormFieldProps<Values>) {
  const conflict = form.conflicts.find((conflict) => conflict.name === name);
  return <Conflict conflict={conflict} who={who} onChosen={() => form.setFocus(name)} />;
}

/** The carriers that the browser offers in a field whose `list` is this id. */
export function CarrierOptions({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {carriers.map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
