/** Whether each part runs in its shortest form, to see that it works: its figures mean nothing. */
const isShort = process.argv.includes("--short");

/** A number of rounds or seconds, or one in a short run. */
export const unlessShort = (usual: number): number => (isShort ? 1 : usual);

/** A number of rows or sockets, or a hundredth of it in a short run. */
export const many = (usual: number): number => (isShort ? Math.ceil(usual / 100) : usual);

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

/**
 * Runs two measurements alternately, several times, so that a disturbance of the machine affects
 * both.
 */
export async function alternately<Result>(
  rounds: number,
  ofOurs: () => Promise<Result>,
  ofRaw: () => Promise<Result>,
): Promise<Results<Result>> {
  const results: Results<Result> = { ours: [], raw: [] };
  for (let round = 0; round < unlessShort(rounds); round += 1) {
    results.ours.push(await ofOurs());
    results.raw.push(await ofRaw());
  }
  return results;
}

/** The medians of one figure, for a row. @param what the name of the raw limit */
export function medians<Figure extends string>(
  { ours, raw }: Results<Readonly<Record<Figure, number>>>,
  figure: Figure,
  what: string,
) {
  const of = (all: typeof ours) => median(all.map((one) => one[figure]));
  return { ours: of(ours), raw: { what, value: of(raw) } };
}
