/** `--short` runs each part for seconds, to see that it works; its figures mean nothing. */
const isShort = process.argv.includes("--short");

/** A number of rounds or seconds, or one in a short run. */
export const unlessShort = (count: number): number => (isShort ? 1 : count);

/** A number of rows or sockets, or a hundredth of it in a short run. */
export const many = (count: number): number => (isShort ? Math.ceil(count / 100) : count);

/** The median, to three digits; of an even number of measurements, the lower middle one. */
export function median(values: readonly number[]): number {
  return Number(percentile(values, 0.5).toPrecision(3));
}

/** A percentile: the value that this share (0 to 1) of the measurements does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** The results of the shop and of the raw limit, by round. */
export interface Results<Result> {
  readonly ours: Result[];
  readonly raw: Result[];
}

/** Runs two measurements alternately, so that a disturbance of the machine affects both. */
export async function alternately<Result>(
  rounds: number,
  measureOurs: () => Promise<Result>,
  measureRaw: () => Promise<Result>,
): Promise<Results<Result>> {
  const results: Results<Result> = { ours: [], raw: [] };
  for (let round = 0; round < unlessShort(rounds); round += 1) {
    results.ours.push(await measureOurs());
    results.raw.push(await measureRaw());
  }
  return results;
}

/** The medians of one figure, for a row. `rawName`: the name of the raw limit. */
export function medians<Figure extends string>(
  { ours, raw }: Results<Readonly<Record<Figure, number>>>,
  figure: Figure,
  rawName: string,
) {
  const of = (all: typeof ours) => median(all.map((one) => one[figure]));
  return { ours: of(ours), raw: { name: rawName, value: of(raw) } };
}

/** One figure, with the raw limit of the same machine and run, and its budget. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  readonly unit: string;
  /** The figure of a bare program for the same work. */
  readonly raw?: { readonly name: string; readonly value: number };
  /** One kept limit keeps the budget. */
  readonly budget?: readonly Limit[];
}

interface Limit {
  readonly of: "figure" | "ratio";
  readonly is: "≥" | "≤";
  readonly limit: number;
}

/** The cells of a row in the printed table. */
export function cellsOf({ name, ours, unit, raw, budget = [] }: Row) {
  const ratio = raw === undefined ? undefined : ours / raw.value;
  const limits = budget.map(({ of, is, limit }) => {
    const value = of === "figure" ? ours : (ratio ?? Number.NaN);
    const text = `${is} ${limit} ${of === "figure" ? unit : "× raw"}`;
    return { text: text.trim(), isKept: is === "≥" ? value >= limit : value <= limit };
  });
  return {
    name,
    ours: `${ours.toLocaleString("en")} ${unit}`,
    "raw limit": raw === undefined ? "" : `${raw.value.toLocaleString("en")} ${unit}: ${raw.name}`,
    ratio: ratio?.toFixed(2) ?? "",
    budget: limits.map(({ text }) => text).join(" or "),
    kept: limits.length === 0 ? "" : limits.some(({ isKept }) => isKept) ? "yes" : "NO",
  };
}

export const atLeast = (limit: number): Limit => ({ of: "figure", is: "≥", limit });
export const atMost = (limit: number): Limit => ({ of: "figure", is: "≤", limit });
export const atLeastRaw = (limit: number): Limit => ({ of: "ratio", is: "≥", limit });
export const atMostRaw = (limit: number): Limit => ({ of: "ratio", is: "≤", limit });
