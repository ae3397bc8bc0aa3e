/** One figure of the bench, beside the raw limit of the same machine in the same run, and what is promised. */
export interface Row {
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
  /** What the same work costs with the bare parts. */
  readonly raw?: { readonly what: string; readonly value: number };
  /** Ours divided by raw. */
  readonly ratio?: number;
  readonly promise?: { readonly text: string; readonly kept: boolean };
}

interface Measured {
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
}

/** A figure beside its raw limit: it must be at least, or at most, so much of it. */
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

/** A figure that must not be above a limit, or not below one. */
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
