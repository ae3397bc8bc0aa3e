import { type ComponentProps, useId } from "react";

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** Classes of the label. */
  readonly className?: string;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, disabled = false, className, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-3">
      <CheckboxInput
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} className={className}>
        {label}
      </label>
    </div>
  );
}

type InputProps = Omit<ComponentProps<"input">, "type" | "className">;

const look = "size-5 shrink-0 accent-ink";

/** A checkbox without a label. */
export function CheckboxInput(props: InputProps) {
  return <input {...props} type="checkbox" className={look} />;
}

/** A radio button without a label. */
export function RadioInput(props: InputProps) {
  return <input {...props} type="radio" className={look} />;
}
