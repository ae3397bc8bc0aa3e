/** One figure, with the raw limit of the same machine and run, and its budget. */
export interface Row {
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
  /** The figure of the bare parts for the same work. */
  readonly raw?: { readonly what: string; readonly value: number };
  /** Limits of the figure, or of its ratio to the raw limit. One kept limit keeps the budget. */
  readonly budget?: readonly Limit[];
}

interface Limit {
  readonly of: "figure" | "ratio";
  readonly is: "≥" | "≤";
  readonly limit: number;
}

/** Whether a figure keeps one of its limits. */
export function isKept({ ours, raw, budget = [] }: Row): boolean {
  return budget.some(({ of, is, limit }) => {
    const value = of === "figure" ? ours : ours / (raw?.value ?? 0);
    return is === "≥" ? value >= limit : value <= limit;
  });
}

/** The cells of a figure in the printed table. */
export function cellsOf(row: Row) {
  const { what, ours, unit, raw, budget = [] } = row;
  const limits = budget.map(({ of, is, limit }) =>
    of === "ratio" ? `${is} ${limit} × raw` : `${is} ${limit} ${unit}`.trim(),
  );
  return {
    what,
    ours: `${ours.toLocaleString("en")} ${unit}`,
    "raw limit": raw === undefined ? "" : `${raw.value.toLocaleString("en")} ${unit}: ${raw.what}`,
    ratio: raw === undefined ? "" : (ours / raw.value).toFixed(2),
    budget: limits.join(" or "),
    kept: limits.length === 0 ? "" : isKept(row) ? "yes" : "NO",
  };
}

export const atLeast = (limit: number): Limit => ({ of: "figure", is: "≥", limit });
export const atMost = (limit: number): Limit => ({ of: "figure", is: "≤", limit });
export const atLeastRaw = (limit: number): Limit => ({ of: "ratio", is: "≥", limit });
export const atMostRaw = (limit: number): Limit => ({ of: "ratio", is: "≤", limit });
