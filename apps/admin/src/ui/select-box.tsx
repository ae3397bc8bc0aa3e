import { CheckboxInput } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useId } from "react";

interface SelectBoxProps {
  /** For screen readers. */
  readonly label: string;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  /** Called for a click with Shift. */
  readonly onExtend: () => void;
  readonly className?: string;
}

/** The checkbox that selects a row. */
export function SelectBox({ label, isSelected, onToggle, onExtend, className }: SelectBoxProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={classes("flex items-center justify-center select-none", className)}
    >
      <span className="sr-only">{label}</span>
      <CheckboxInput
        id={id}
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          nativeEvent instanceof MouseEvent && nativeEvent.shiftKey ? onExtend() : onToggle()
        }
      />
    </label>
  );
}
