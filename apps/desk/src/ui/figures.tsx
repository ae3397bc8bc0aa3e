import type { Cents } from "@keepsats/domain";
import { Money } from "./money.tsx";

/** An amount with its label. */
export interface Figure {
  readonly label: string;
  /** `null` if nobody knows it. */
  readonly cents: Cents | null;
  readonly currency: string;
}

/** Amounts side by side, each below its label. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(({ label, cents, currency }) => (
        <div key={label}>
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="text-lg">
            <Money cents={cents} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
