/** One figure of the bench beside what is promised. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly promised: string;
  readonly kept: boolean;
}
