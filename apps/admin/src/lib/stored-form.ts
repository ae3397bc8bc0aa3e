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
  const [lastSave, setLastSave] = useState<{ readonly saved: Stored; readonly replaced: Stored }>();
  const [stops, setStops] = useState(0);
  const latest = useRef(record);
  useLayoutEffect(() => {
    latest.current = record;
  });
  // The saved record replaces `record` until a refetch returns it.
  const current = lastSave?.replaced === record ? lastSave.saved : record;
  const stored = valuesOf(current);
  async function save(output: Partial<Output>): Promise<void> {
    const typed = getValues();
    const edits = { record: current, valuesOf, output, base, typed };
    const saved = await saveEdits({ write, read }, edits);
    if (saved === undefined) {
      reportLate(CHANGE_FAILED, CONFLICT);
      return setStops((count) => count + 1);
    }
    setStops(0);
    setLastSave({ saved, replaced: latest.current });
    const after = { base, stored: valuesOf(saved), typed: getValues() };
    const nextBase = afterSaving(after, typed);
    setBase(nextBase);
    if (mergeEdits({ ...after, base: nextBase }).edited.length === 0) onSaved?.();
  }
  const { form, conflicts, base, setBase, reset, reportLate } = useDraft({
    ...options,
    values: stored,
    save,
    resolverOf: (edited) => editedResolver(schema, edited),
    baseOf: (merged) => merged.base,
  });
  const { getValues } = form;

  function choose(name: Name<Input>, isMine: boolean): void {
    const nextBase = { ...base };
    nextBase[name] = stored[name];
    setBase(nextBase);
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
