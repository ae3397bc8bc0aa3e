import { type ReactNode, useEffect } from "react";
import { Empty } from "./loaded.tsx";

interface RowsProps {
  readonly label: string;
  readonly none?: ReactNode;
  readonly children: readonly ReactNode[];
}

/** A list without a border at its end: the next section starts with one. */
export function Rows({ label, none, children }: RowsProps) {
  if (children.length === 0) return <Empty>{none}</Empty>;
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

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

export function Failure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="text-sm text-danger">
      {text}
    </p>
  );
}

/**
 * Moves the focus to the main region when a focused button disappears, for example with its row.
 */
export function useFocusFallback(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.getElementById("main")?.focus({ preventScroll: true });
    },
    [],
  );
}
