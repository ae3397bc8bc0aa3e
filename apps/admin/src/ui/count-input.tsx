import { Input } from "./input.tsx";

interface CountInputProps {
  readonly label: string;
  /** The name of the item. */
  readonly of: string;
  readonly most: number;
  readonly count: number;
  readonly onCount: (count: number) => void;
}

/** A number of pieces, at most those that are left. */
export function CountInput({ label, of, most, count, onCount }: CountInputProps) {
  return (
    <Input
      label={label}
      aria-label={`${label}: ${of}`}
      type="number"
      inputMode="numeric"
      min={0}
      max={most}
      value={String(count)}
      onFocus={(event) => event.target.select()}
      onChange={({ target }) => {
        const typed = Math.trunc(target.valueAsNumber);
        onCount(Number.isNaN(typed) ? 0 : Math.max(0, Math.min(most, typed)));
      }}
    />
  );
}
