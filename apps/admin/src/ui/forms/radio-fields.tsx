import { RadioInput } from "@keepsats/ui/checkbox.tsx";
import { type ComponentProps, useId } from "react";

interface RadioFieldsProps<Value extends string> {
  readonly legend: string;
  readonly error?: string | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** The other properties of an option's input. */
  readonly inputOf: (value: Value) => ComponentProps<typeof RadioInput>;
}

export function RadioFields<Value extends string>({
  legend,
  error,
  options,
  inputOf,
}: RadioFieldsProps<Value>) {
  const id = useId();
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {options.map(({ value, label }) => (
        <label
          key={value}
          htmlFor={`${id}-${value}`}
          className="flex min-h-11 items-center gap-3 wrap-anywhere"
        >
          <RadioInput id={`${id}-${value}`} name={id} value={value} {...inputOf(value)} />
          {label}
        </label>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
