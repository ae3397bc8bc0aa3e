import { Checkbox as Primitive } from "@base-ui/react/checkbox";
import { Check } from "lucide-react";
import { useId } from "react";

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox with its label. */
export function Checkbox({ label, checked, disabled = false, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-3">
      <Primitive.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        className="flex size-5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-raised data-checked:border-ink data-checked:bg-ink data-disabled:opacity-60"
      >
        <Primitive.Indicator className="text-paper">
          <Check aria-hidden size={14} strokeWidth={3} />
        </Primitive.Indicator>
      </Primitive.Root>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
