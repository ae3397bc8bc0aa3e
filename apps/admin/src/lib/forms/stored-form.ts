import { zodResolver } from "@hookform/resolvers/zod";
import { isApiError } from "@keepsats/client";
import type { ProblemCode } from "@keepsats/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import type * as z from "zod/mini";
import { type Form, type FormOptions, KEEP, useDraft } from "./form.ts";
import { afterSaving, mergeEdits, type Name } from "./merge-edits.ts";

/** The schema of an object, with the schemas of its fields. */
type ObjectSchema<Input, Output> = z.ZodMiniType<Output, Input> & {
  readonly shape: { readonly [Field in keyof Output]: z.ZodMiniType<Output[Field]> };
};

/**
 * Validates and returns only the edited fields: a stored value that today's rules refuse must not
 * block changes to the other fields.
 */
export function editedResolver<Input extends FieldValues, Output extends object>(
  schema: ObjectSchema<Input, Output>,
  edited: readonly Name<Input>[],
): Resolver<Input, unknown, Partial<Output>> {
  const validate = zodResolver<Input, unknown, Output>(schema);
  return async (typed, context, options) => {
    const { errors } = await validate(typed, context, options);
    const wrong: FieldErrors<Input> = {};
    for (const name of edited) if (name in errors) Object.assign(wrong, { [name]: errors[name] });
    if (Object.keys(wrong).length > 0) return { values: {}, errors: wrong };
    const output: Partial<Output> = {};
    const names: readonly string[] = edited;
    for (const name in schema.shape) {
      if (!names.includes(name)) continue;
      const read = schema.shape[name].safeParse(typed[name]);
      if (read.success) output[name] = read.data;
    }
    return { values: output, errors: {} };
  };
}

/** The refusals of a change to a record that is no longer current. */
const CHANGED: readonly (ProblemCode | undefined)[] = [
  "settings_changed",
  "item_changed",
  "order_changed",
  "webhook_changed",
];

const CONFLICT =
  "Nothing was saved: someone else made a change. Choose what to keep. Then save again.";

interface StoredFormOptions<Input extends FieldValues, Output, Stored> extends FormOptions<Input> {
  readonly schema: ObjectSchema<Input, Output>;
  /** The latest stored version of the record. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Input;
  /** Throws if `seen` is no longer current. The record is then refetched, as after any failure. */
  readonly write: (changes: Partial<Output>, seen: Stored) => Promise<Stored>;
  /** Shows stored values that are not texts. */
  readonly texts?: { readonly [Field in Name<Input>]?: (value: Input[Field]) => string };
  /** Called once everything typed is stored, also if nothing was edited. */
  readonly onSaved?: () => void;
}

function throwAsConflict(error: unknown): never {
  if (isApiError(error) && CHANGED.includes(error.problem?.code)) throw new Error(CONFLICT);
  throw error;
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
  texts,
  onSaved,
  ...options
}: StoredFormOptions<Input, Output, Stored>): Form<Input> {
  const [lastSave, setLastSave] = useState<{ readonly saved: Stored; readonly replaced: Stored }>();
  const latest = useRef(record);
  useLayoutEffect(() => {
    latest.current = record;
  });
  // The saved record replaces `record` until a refetch returns it.
  const current = lastSave?.replaced === record ? lastSave.saved : record;
  const stored = valuesOf(current);
  async function save(output: Partial<Output>): Promise<void> {
    const typed = getValues();
    const { edited, conflicts } = mergeEdits({ base, stored, typed });
    if (conflicts.length > 0) throw new Error(CONFLICT);
    // After a lost answer the edits may be stored already.
    const saved =
      edited.length === 0 ? current : await write(output, current).catch(throwAsConflict);
    setLastSave({ saved, replaced: latest.current });
    const after = { base, stored: valuesOf(saved), typed: getValues() };
    const nextBase = afterSaving(after, typed);
    setBase(nextBase);
    if (mergeEdits({ ...after, base: nextBase }).edited.length === 0) onSaved?.();
  }
  const { form, conflicts, base, setBase, reset, clearFailure } = useDraft({
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
    if (conflicts.length === 1) clearFailure();
    if (isMine) return;
    const typed = { ...getValues() };
    typed[name] = stored[name];
    reset(typed, { ...KEEP, keepErrors: false });
  }
  function storedText<Field extends Name<Input>>(name: Field): string {
    return (texts?.[name] ?? String)(stored[name]);
  }
  return {
    ...form,
    conflicts: conflicts.map((name) => ({
      name,
      label: options.labels[name],
      stored: storedText(name),
      keepMine: () => choose(name, true),
      takeTheirs: () => choose(name, false),
    })),
  };
}
