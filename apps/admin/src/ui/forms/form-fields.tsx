import { carriers } from "@keepsats/domain";
import { MAX_SHIPMENT_LENGTH } from "@keepsats/protocol";
import { Input, TextArea } from "@keepsats/ui/input.tsx";
import { type ComponentProps, useId } from "react";
import type { FieldValues } from "react-hook-form";
import { Conflict, type ConflictProps } from "./conflict.tsx";

interface TextFieldProps<Values extends FieldValues>
  extends Omit<ConflictProps<Values>, "focus">,
    Pick<
      ComponentProps<typeof Input>,
      "type" | "inputMode" | "placeholder" | "maxLength" | "autoComplete" | "hint" | "list"
    > {
  /** The height in lines; a single-line field by default. */
  readonly rows?: number | undefined;
  readonly className?: string;
}

/** A text field of a form, with its error and its conflict. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, className, rows, ...rest } = props;
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
      <Conflict form={form} name={name} />
    </div>
  );
}

/** The field of a carrier, for which the browser offers the known ones. */
export function CarrierField<Values extends FieldValues>(
  props: Pick<TextFieldProps<Values>, "form" | "name">,
) {
  const list = useId();
  return (
    <>
      <TextField {...props} maxLength={MAX_SHIPMENT_LENGTH} list={list} />
      <datalist id={list}>
        {carriers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
