/**
 * One figure of the benchmark, with the raw limit from the same machine and run, and the promise.
 */
export interface Row {
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
  /** The raw limit: the figure of the bare parts for the same work. */
  readonly raw?: { readonly what: string; readonly value: number };
  /** The shop's figure divided by the raw limit. */
  readonly ratio?: number;
  readonly promise?: { readonly text: string; readonly kept: boolean };
}

interface Measured {
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
}

/** A figure with its raw limit; the promise is a least or a greatest ratio. */
export function beside(
  measured: Measured,
  raw: { readonly what: string; readonly value: number },
  promise?: { readonly least: number } | { readonly most: number },
): Row {
  const ratio = measured.ours / raw.value;
  if (promise === undefined) return { ...measured, raw, ratio };
  return {
    ...measured,
    raw,
    ratio,
    promise:
      "least" in promise
        ? { text: `≥ ${promise.least} of raw`, kept: ratio >= promise.least }
        : { text: `≤ ${promise.most} × raw`, kept: ratio <= promise.most },
  };
}

/** A figure whose promise is a greatest or a least value. */
export function within(
  measured: Measured,
  promise: { readonly most: number } | { readonly least: number },
  raw?: { readonly what: string; readonly value: number },
): Row {
  const kept = "most" in promise ? measured.ours <= promise.most : measured.ours >= promise.least;
  const text = "most" in promise ? `≤ ${promise.most}` : `≥ ${promise.least}`;
  return {
    ...measured,
    ...(raw === undefined ? {} : { raw, ratio: measured.ours / raw.value }),
    promise: { text: `${text} ${measured.unit}`.trim(), kept },
  };
}
