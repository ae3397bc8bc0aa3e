import { type Toast, useToasts } from "@keepsats/ui/toasts.ts";
import { type MutationKey, useMutation } from "@tanstack/react-query";
import { useState } from "react";

/** The outcomes so far, by the id of the changed record. */
export type Outcomes<Outcome> = ReadonlyMap<string, Outcome>;

interface BulkOptions<Change, Outcome> {
  /** What is changed, such as "order". */
  readonly noun: string;
  /** Returns the outcome, also of a failure. `earlier`: the outcome of the attempt before. */
  readonly change: (change: Change, earlier: Outcome | undefined) => Promise<Outcome>;
  readonly report: (outcomes: Outcomes<Outcome>) => Toast;
  readonly mutationKey?: MutationKey;
  /** Called after each attempt, before its report. */
  readonly refetch?: () => Promise<void>;
  readonly onAllDone: () => void;
}

/** Changes several records. A change that fails can be tried again. */
export function useBulk<Change extends { readonly id: string }, Outcome>({
  noun,
  change,
  report,
  mutationKey = [],
  refetch,
  onAllDone,
}: BulkOptions<Change, Outcome>) {
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes<Outcome>>(new Map());
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: (changes: readonly Change[]) =>
      changeEach(
        changes,
        (one) => change(one, outcomes.get(one.id)),
        (made) => setOutcomes((now) => new Map([...now, ...made])),
      ),
    onSettled: () => refetch?.(),
  });

  /** @throws an error with the number of records that have not changed */
  async function run(changes: readonly Change[]): Promise<void> {
    const made = await mutateAsync(changes);
    toasts.show(report(made));
    const { kind, title } = report(new Map([...outcomes, ...made]));
    if (kind === "error") throw new Error(`${title}. Each ${noun} shows its reason.`);
    onAllDone();
  }
  return { outcomes, run };
}

/**
 * Makes changes one after another. A change that fails does not stop the others.
 *
 * @param change returns the outcome, also of a failure
 * @param onOutcome called with all outcomes so far after each change
 */
export async function changeEach<Change extends { readonly id: string }, Outcome>(
  changes: readonly Change[],
  change: (change: Change) => Promise<Outcome>,
  onOutcome: (outcomes: Outcomes<Outcome>) => void,
): Promise<Outcomes<Outcome>> {
  let outcomes: Outcomes<Outcome> = new Map();
  for (const one of changes) {
    outcomes = new Map(outcomes).set(one.id, await change(one));
    onOutcome(outcomes);
  }
  return outcomes;
}
