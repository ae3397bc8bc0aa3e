import { Input } from "@keepsats/ui/input.tsx";
import type { ReactNode } from "react";

/** A choice of pieces, line by line. */
export function PiecesList({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <ul className="divide-y divide-line border-y border-line">{children}</ul>
    </fieldset>
  );
}

/** A line with its {@link CountInput}. `name`: of the item. */
export function PiecesLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto] sm:items-center">
      <span className="min-w-0 wrap-anywhere">{name}</span>
      {children}
    </li>
  );
}

interface CountInputProps {
  readonly label: string;
  readonly of: string;
  readonly most: number;
  readonly count: number;
  readonly onCount: (count: number) => void;
}

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
