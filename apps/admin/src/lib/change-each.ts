/**
 * Makes changes one after another. A change that fails does not stop the others.
 *
 * @param change returns the outcome, also of a failure
 * @param onOutcome called with all outcomes so far, by id, after each change
 */
export async function changeEach<Change extends { readonly id: string }, Outcome>(
  changes: readonly Change[],
  change: (change: Change) => Promise<Outcome>,
  onOutcome: (outcomes: ReadonlyMap<string, Outcome>) => void,
): Promise<ReadonlyMap<string, Outcome>> {
  let outcomes: ReadonlyMap<string, Outcome> = new Map();
  for (const one of changes) {
    outcomes = new Map(outcomes).set(one.id, await change(one));
    onOutcome(outcomes);
  }
  return outcomes;
}
