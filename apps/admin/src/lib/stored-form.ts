import { useLayoutEffect, useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { type Form, type FormOptions, KEEP, useDraft } from "./form.ts";
import { editedResolver, type ObjectSchema } from "./form-schema.ts";
import { afterSaving, mergeEdits, type Name, type RecordStore, saveEdits } from "./merge-edits.ts";
import { CHANGE_FAILED } from "./use-action.ts";

const CONFLICT = "Nothing was saved: someone else changed the same field. Choose what to keep.";

interface StoredFormOptions<Input extends FieldValues, Output, Stored>
  extends FormOptions<Input>,
    RecordStore<Stored, Output> {
  readonly schema: ObjectSchema<Input, Output>;
  /** The latest stored version of the record. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Input;
  /** Shows stored values that are not texts. */
  readonly texts?: { readonly [Field in Name<Input>]?: (value: Input[Field]) => string };
  /** Called once everything typed is stored, also if nothing was edited. */
  readonly onSaved?: () => void;
}

/**
 * A form for a record that colleagues may change at the same time. Fields that are not edited
 * follow the stored record. If both sides have changed a field, staff choose a version before it is
 * saved.
 */
export function useStoredForm<Input extends FieldValues, Output extends object, Stored>({
  schema,
  record,
  valuesOf,
  write,
  read,
  texts,
  onSaved,
  ...options
}: StoredFormOptions<Input, Output, Stored>): Form<Input> {
  const [saved, setSaved] = useState<{ readonly is: Stored; readonly was: Stored }>();
  const [stops, setStops] = useState(0);
  const latest = useRef(record);
  useLayoutEffect(() => {
    latest.current = record;
  });
  // The saved record replaces `record` until a refetch returns it.
  const current = saved?.was === record ? saved.is : record;
  const stored = valuesOf(current);
  async function save(output: Partial<Output>): Promise<void> {
    const typed = getValues();
    const edits = { record: current, valuesOf, output, loaded, typed };
    const is = await saveEdits({ write, read }, edits);
    if (is === undefined) {
      reportLate(CHANGE_FAILED, CONFLICT);
      return setStops((count) => count + 1);
    }
    setStops(0);
    setSaved({ is, was: latest.current });
    const after = { loaded, stored: valuesOf(is), typed: getValues() };
    const base = afterSaving(after, typed);
    setLoaded(base);
    if (mergeEdits({ ...after, loaded: base }).edited.length === 0) onSaved?.();
  }
  const { form, conflicts, loaded, setLoaded, reset, reportLate } = useDraft({
    ...options,
    values: stored,
    save,
    resolverOf: (edited) => editedResolver(schema, edited),
    baseOf: (merged) => merged.loaded,
  });
  const { getValues } = form;

  function choose(name: Name<Input>, isMine: boolean): void {
    const base = { ...loaded };
    base[name] = stored[name];
    setLoaded(base);
    if (conflicts.length === 1) setStops(0);
    if (isMine) return;
    const typed = { ...getValues() };
    typed[name] = stored[name];
    reset(typed, { ...KEEP, keepErrors: false });
  }
  function storedText<Field extends Name<Input>>(name: Field): string {
    return (texts?.[name] ?? String)(stored[name]);
  }
  const isStopped = conflicts.length > 0 && stops > 0;
  return {
    ...form,
    conflicts: conflicts.map((name, index) => ({
      name,
      label: options.labels[name],
      stored: storedText(name),
      stops: index === 0 ? stops : 0,
      keepMine: () => choose(name, true),
      takeTheirs: () => choose(name, false),
    })),
    failure: isStopped ? CONFLICT : form.failure,
  };
}
