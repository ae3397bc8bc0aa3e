import { Check } from "lucide-react";
import { useId } from "react";

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A labelled checkbox: the browser's own input in the shop's style. */
export function Checkbox({ label, checked, disabled = false, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-3">
      <span className="relative flex size-5 shrink-0">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer size-5 appearance-none rounded-sm border border-line-strong bg-raised checked:border-ink checked:bg-ink disabled:opacity-60 forced-colors:appearance-auto"
        />
        <Check
          aria-hidden
          size={14}
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto hidden text-paper peer-checked:block forced-colors:peer-checked:hidden"
        />
      </span>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
