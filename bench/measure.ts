/** The median; of an even number of measurements, the lower middle one. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A percentile: the value that this share (0 to 1) of the measurements does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/**
 * Runs two measurements alternately, several times, so that a disturbance of the machine affects
 * both.
 */
export async function byTurns<A, B>(
  rounds: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<{ one: A[]; other: B[] }> {
  const results: { one: A[]; other: B[] } = { one: [], other: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.one.push(await one());
    results.other.push(await other());
  }
  return results;
}
