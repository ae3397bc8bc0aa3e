/** The results of requests over HTTP; times in milliseconds. */
export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** The number of answers that were not 2xx. */
  readonly refused: number;
}
