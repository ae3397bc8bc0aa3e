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

/** The cells of a figure in the printed table. */
export function cellsOf({ what, ours, unit, raw, budget = [] }: Row) {
  const ratio = raw === undefined ? undefined : ours / raw.value;
  const limits = budget.map(({ of, is, limit }) => {
    const value = of === "figure" ? ours : (ratio ?? Number.NaN);
    const text = `${is} ${limit} ${of === "figure" ? unit : "× raw"}`;
    return { text: text.trim(), isKept: is === "≥" ? value >= limit : value <= limit };
  });
  return {
    what,
    ours: `${ours.toLocaleString("en")} ${unit}`,
    "raw limit": raw === undefined ? "" : `${raw.value.toLocaleString("en")} ${unit}: ${raw.what}`,
    ratio: ratio?.toFixed(2) ?? "",
    budget: limits.map(({ text }) => text).join(" or "),
    kept: limits.length === 0 ? "" : limits.some(({ isKept }) => isKept) ? "yes" : "NO",
  };
}

export const atLeast = (limit: number): Limit => ({ of: "figure", is: "≥", limit });
export const atMost = (limit: number): Limit => ({ of: "figure", is: "≤", limit });
export const atLeastRaw = (limit: number): Limit => ({ of: "ratio", is: "≥", limit });
export const atMostRaw = (limit: number): Limit => ({ of: "ratio", is: "≤", limit });
