import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

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

/** The box of a checkbox without a label. */
export function CheckboxInput(props: InputProps) {
  return (
    <Choice input={{ ...props, type: "checkbox", className: "rounded-sm checked:bg-ink" }}>
      <Check size={14} strokeWidth={3} className="m-auto text-paper" />
    </Choice>
  );
}

/** The circle of a radio button without a label. */
export function RadioInput(props: InputProps) {
  return (
    <Choice
      input={{ ...props, type: "radio", className: "rounded-full focus-visible:rounded-full" }}
    >
      <span className="m-auto size-2.5 rounded-full bg-ink" />
    </Choice>
  );
}

interface ChoiceProps {
  readonly input: ComponentProps<"input">;
  /** The mark of a checked input. */
  readonly children: ReactNode;
}

/** The native input in the style of the shop. With forced colours it has the browser's style. */
function Choice({ input, children }: ChoiceProps) {
  return (
    <span className="relative flex size-5 shrink-0">
      <input
        {...input}
        className={classes(
          "peer size-5 appearance-none border border-line-strong bg-raised checked:border-ink disabled:opacity-60 forced-colors:appearance-auto",
          input.className,
        )}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-0 hidden peer-checked:flex forced-colors:peer-checked:hidden"
      >
        {children}
      </span>
    </span>
  );
}
