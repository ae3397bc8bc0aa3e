import { Input } from "@keepsats/ui/input.tsx";
import type { Days } from "../lib/parameters.ts";

interface DayFieldsProps {
  readonly days: Days;
  readonly onChange: (part: Partial<Days>) => void;
}

const fields = [
  { name: "from", label: "From" },
  { name: "to", label: "To" },
] as const;

export function DayFields({ days, onChange }: DayFieldsProps) {
  return fields.map(({ name, label }) => (
    <Input
      key={name}
      label={label}
      type="date"
      value={days[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      className="grow basis-32 sm:grow-0"
    />
  ));
}
