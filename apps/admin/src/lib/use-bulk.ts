import { type Toast, useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";

/** The outcomes so far, by the id of the changed record. */
export type Outcomes<Outcome> = ReadonlyMap<string, Outcome>;

interface BulkOptions<Change, Outcome> {
  /** What is changed, such as "order". */
  readonly noun: string;
  /** Returns the outcome, also of a failure. `earlier`: the outcome of the attempt before. */
  readonly change: (change: Change, earlier: Outcome | undefined) => Promise<Outcome>;
  readonly report: (outcomes: Outcomes<Outcome>) => Toast;
  readonly onAllDone: () => void;
}

/** Changes several records, one after another. A change that fails can be tried again. */
export function useBulk<Change extends { readonly id: string }, Outcome>({
  noun,
  change,
  report,
  onAllDone,
}: BulkOptions<Change, Outcome>) {
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes<Outcome>>(new Map());

  /** @throws an error with the number of records that have not changed */
  async function run(changes: readonly Change[]): Promise<void> {
    const made = new Map<string, Outcome>();
    for (const one of changes) {
      made.set(one.id, await change(one, outcomes.get(one.id)));
      setOutcomes(new Map([...outcomes, ...made]));
    }
    toasts.show(report(made));
    const { kind, title } = report(new Map([...outcomes, ...made]));
    if (kind === "error") throw new Error(`${title}. Each ${noun} shows its reason.`);
    onAllDone();
  }
  return { outcomes, run };
}
