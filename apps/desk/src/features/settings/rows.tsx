import type { ReactNode } from "react";

/** A list without a rule at its end, where the next section begins with one. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  /** Below the title. */
  readonly detail: ReactNode;
  /** The buttons of the row. */
  readonly actions?: ReactNode;
  /** Below the row. */
  readonly children?: ReactNode;
}

/** One of several things that can be changed: what it is, and what can be done with it. */
export function Row({ title, detail, actions, children }: RowProps) {
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60 wrap-anywhere">
          <p className="font-medium">{title}</p>
          <p className="text-sm text-ink-soft">{detail}</p>
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
      {children}
    </li>
  );
}
