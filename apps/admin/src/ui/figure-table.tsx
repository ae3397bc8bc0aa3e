import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";

export interface FigureRow {
  readonly key: string;
  readonly label: ReactNode;
  /** None for a heading of the rows below it. */
  readonly figures: readonly string[];
  readonly isTotal?: boolean;
}

/** The rows of decisions of staff with their heading; nothing without any. */
export function decisionRows(decisions: readonly FigureRow[]): readonly FigureRow[] {
  const label = "Decisions of staff, which move no money";
  return decisions.length === 0 ? [] : [{ key: "decisions", label, figures: [] }, ...decisions];
}

interface FigureTableProps {
  readonly caption: string;
  /** The headings of the labels, then of the figures. */
  readonly columns: readonly string[];
  readonly rows: readonly FigureRow[];
  readonly className?: string;
}

export function FigureTable({ caption, columns, rows, className }: FigureTableProps) {
  return (
    <table className={classes("w-full self-start text-left", className)}>
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line text-sm text-ink-soft">
        <tr>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className="py-1.5 font-medium not-first:pl-3 not-first:text-right"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ key, label, figures, isTotal = false }) =>
          figures.length === 0 ? (
            <tr key={key}>
              <th
                scope="row"
                colSpan={columns.length}
                className="pt-5 pb-1.5 text-sm font-medium text-ink-soft"
              >
                {label}
              </th>
            </tr>
          ) : (
            <tr key={key} className={classes("align-baseline", isTotal && "font-medium")}>
              <th scope="row" className={classes("py-1.5", !isTotal && "font-normal")}>
                {label}
              </th>
              {figures.map((figure, index) => (
                <td key={columns[index + 1]} className="money py-1.5 pl-3 text-right">
                  {figure}
                </td>
              ))}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}
