import { type Toast, useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import { errorText } from "./api.ts";
import { counted } from "./format.ts";

/** The outcome of the last attempt to change a record. */
export interface Outcome {
  /**
   * `unconfirmed`: `text` has a warning that staff must confirm. `overtaken`: a colleague has changed
   * the record, so that it is not tried again.
   */
  readonly kind: "done" | "unconfirmed" | "overtaken" | "failed";
  /** Shown beside the record. */
  readonly text: string;
  /** Whether the report has the text although the record is done. */
  readonly hasNote?: boolean;
}

/** The outcomes so far, by the id of the changed record. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** Whether a record can still be changed. */
export function isOpen(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome.kind === "failed" || outcome.kind === "unconfirmed";
}

interface BulkTexts {
  /** A record, such as "order". */
  readonly noun: string;
  /** As in "2 orders shipped" and "not shipped". */
  readonly done: string;
  /** The name of a record, such as its number, by its id. */
  readonly nameOf: (id: string) => string;
}

/** The number of changed records, the reason for each other record, and notes. */
export function bulkReport({ noun, done, nameOf }: BulkTexts, outcomes: Outcomes): Toast {
  const rest = [...outcomes.values()].filter(({ kind }) => kind !== "done").length;
  const title = `${counted(outcomes.size - rest, noun)} ${done}`;
  const reported = [...outcomes].filter(([, { kind, hasNote }]) => kind !== "done" || hasNote);
  return {
    kind: rest === 0 ? "success" : "error",
    title: rest === 0 ? title : `${title}, ${rest} not`,
    description: reported
      .map(([id, { text }]) => `${nameOf(id)}: ${text.replace(/\.$/, "")}.`)
      .join(" "),
  };
}

interface BulkOptions<Change> extends BulkTexts {
  /** Throws if the change fails. `earlier`: the outcome of the attempt before. */
  readonly change: (change: Change, earlier: Outcome | undefined) => Promise<Outcome>;
  readonly onAllDone: () => void;
}

/** Changes several records, one after another. A change that fails can be tried again. */
export function useBulk<Change extends { readonly id: string }>({
  change,
  onAllDone,
  ...texts
}: BulkOptions<Change>) {
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());

  async function attempt(one: Change): Promise<Outcome> {
    try {
      return await change(one, outcomes.get(one.id));
    } catch (error) {
      return { kind: "failed", text: `Not ${texts.done}: ${errorText(error)}` };
    }
  }
  /** @throws an error with the number of records that have not changed */
  async function run(changes: readonly Change[]): Promise<void> {
    const made = new Map<string, Outcome>();
    for (const one of changes) {
      made.set(one.id, await attempt(one));
      setOutcomes(new Map([...outcomes, ...made]));
    }
    toasts.show(bulkReport(texts, made));
    const { kind, title } = bulkReport(texts, new Map([...outcomes, ...made]));
    if (kind === "error") throw new Error(`${title}. Each ${texts.noun} shows its reason.`);
    onAllDone();
  }
  return { outcomes, run };
}
