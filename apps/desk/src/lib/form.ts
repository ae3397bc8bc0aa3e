import { zodResolver } from "@hookform/resolvers/zod";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, use, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import * as z from "zod/mini";
import { errorSentence, errorText } from "./api.ts";
import { editedResolver, type ObjectSchema } from "./edited-resolver.ts";
import {
  afterSaving,
  isSame,
  type Merged,
  mergeEdits,
  type Name,
  type Shop,
  saveEdits,
} from "./merge-edits.ts";
import { draftKeyOf } from "./queries.ts";
import { SessionContext } from "./session.ts";
import { useLateFailure } from "./use-late-failure.ts";

interface FormOptions<Input extends FieldValues> {
  readonly labels: Readonly<Record<Name<Input>, string>>;
  /** Keeps what was typed under this key after the form has left the screen, and a sign-in. */
  readonly draftKey?: QueryKey;
}

interface NewFormOptions<Input extends FieldValues, Output> extends FormOptions<Input> {
  readonly schema: z.ZodMiniType<Output, Input>;
  /** The values that fields have until they are edited. */
  readonly values: Input;
  readonly save: (output: Output) => Promise<unknown>;
}

export interface FormState {
  readonly isSaving: boolean;
  /** Why the last attempt to save has failed. */
  readonly failure: string | undefined;
  /** A second submit while the first one is being saved does nothing. */
  readonly submit: (event: FormEvent) => void;
}

export interface Form<Input extends FieldValues>
  extends FormState,
    Pick<UseFormReturn<Input>, "register" | "setValue" | "setFocus" | "getValues"> {
  readonly labels: FormOptions<Input>["labels"];
  /** The values that the fields show. */
  readonly typed: Input;
  /** The names of the fields with unsaved changes. */
  readonly edited: readonly Name<Input>[];
  readonly conflicts: readonly FieldConflict[];
  readonly errorOf: (name: Path<Input>) => string | undefined;
  /** Whether something new is being saved, so that edits would be lost. */
  readonly isReadOnly: boolean;
  /** Goes back to the stored values. */
  readonly discard: () => void;
}

/** A field whose stored value has changed since it was edited. */
export interface FieldConflict {
  readonly name: string;
  readonly label: string;
  /** The stored value in words. */
  readonly stored: string;
  /** How many attempts to save it has stopped. */
  readonly stops: number;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

/** Keeps the focus and the errors when fields take other values. */
const KEEP = { keepFieldsRef: true, keepErrors: true, keepIsSubmitted: true } as const;
/** The title of a failure that is reported after its form has left the screen. */
export const FAILED = "The change has failed.";
const STOPPED = "Nothing was saved: someone else has changed the same. Choose what to keep.";

/** A form for something new. Fields that are edited keep their edits when `values` change. */
export function useNewForm<Input extends FieldValues, Output>({
  schema,
  ...options
}: NewFormOptions<Input, Output>): Form<Input> {
  const { form } = useDraft({
    ...options,
    resolverOf: () => zodResolver(schema),
    baseOf: () => options.values,
  });
  return { ...form, isReadOnly: form.isSaving };
}

interface StoredFormOptions<Input extends FieldValues, Output, Stored>
  extends FormOptions<Input>,
    Shop<Stored, Output> {
  readonly schema: ObjectSchema<Input, Output>;
  /** What the form changes, as it is stored now. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Input;
  /** The words for a stored value that is no text. */
  readonly texts?: { readonly [Field in Name<Input>]?: (value: Input[Field]) => string };
  /**
   * Called when everything typed is stored, also if nothing was edited. What was typed during the
   * save is not.
   */
  readonly onSaved?: () => void;
}

/**
 * A form that changes a record which others may change at the same time. Fields that are not edited
 * follow what is stored. Before one that both have changed is saved, staff choose a version.
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
  // Until the saved record comes back as `record`.
  const present = saved?.was === record ? saved.is : record;
  const stored = valuesOf(present);
  async function save(output: Partial<Output>): Promise<void> {
    const typed = getValues();
    const edits = { record: present, valuesOf, output, loaded, typed };
    const is = await saveEdits({ write, read }, edits);
    if (is === undefined) {
      reportLate(FAILED, STOPPED);
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
    conflicts: conflicts.map((name, place) => ({
      name,
      label: options.labels[name],
      stored: storedText(name),
      stops: place === 0 ? stops : 0,
      keepMine: () => choose(name, true),
      takeTheirs: () => choose(name, false),
    })),
    failure: isStopped ? STOPPED : form.failure,
  };
}

interface Draft<Input> {
  readonly loaded: Input;
  readonly typed: Input;
}

interface DraftOptions<Input extends FieldValues, Output>
  extends FormOptions<Input>,
    Pick<NewFormOptions<Input, Output>, "values" | "save"> {
  readonly resolverOf: (edited: readonly Name<Input>[]) => Resolver<Input, unknown, Output>;
  /** The values that edits are based on once others have stored new `values`. */
  readonly baseOf: (merged: Merged<Input>) => Input;
}

function useDraft<Input extends FieldValues, Output>(options: DraftOptions<Input, Output>) {
  const { labels, values, save, resolverOf, baseOf } = options;
  const client = useQueryClient();
  const reportLate = useLateFailure();
  const staffId = use(SessionContext)?.staff.id;
  const draftKey = options.draftKey && draftKeyOf(staffId, options.draftKey);
  const [opened] = useState((): Draft<Input> => {
    const kept = draftKey && client.getQueryData<Draft<Input>>(draftKey);
    return kept ?? { loaded: values, typed: values };
  });
  const [loaded, setLoaded] = useState(opened.loaded);
  const merge = (typed: Input) => mergeEdits({ loaded, stored: values, typed });
  const { register, setValue, setFocus, getValues, getFieldState, reset, ...hookForm } = useForm<
    Input,
    unknown,
    Output
  >({
    resolver: (typed, ...rest) => resolverOf(merge(typed).edited)(typed, ...rest),
    values: opened.typed,
  });
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  // A state is as old as the last render, and would let a double click through.
  const isRunning = useRef(false);
  const typed = hookForm.watch();
  const { errors } = hookForm.formState;
  const { edited, conflicts } = merge(typed);

  useEffect(() => {
    if (draftKey === undefined) return;
    client.setQueryDefaults(draftKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData<Draft<Input>>(draftKey, { loaded, typed });
  });

  // Before the browser handles the next key, which would be lost.
  useLayoutEffect(() => {
    const shown = getValues();
    const merged = merge(shown);
    const base = baseOf(merged);
    if (!isSame(merged.typed, shown)) reset(merged.typed, KEEP);
    if (!isSame(base, loaded)) setLoaded(base);
  });

  async function run(output: Output): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsSaving(true);
    setFailure(undefined);
    try {
      await save(output);
    } catch (error) {
      setFailure(errorText(error));
      reportLate(FAILED, errorText(error));
    } finally {
      isRunning.current = false;
      setIsSaving(false);
    }
  }
  const wrong = Object.entries<string>(labels).filter(([name]) => name in errors);

  const form: Form<Input> = {
    register,
    setValue,
    setFocus,
    getValues,
    labels,
    typed,
    edited,
    isSaving,
    failure: wrong.length === 0 ? failure : wrongText(wrong.map(([, label]) => label)),
    conflicts: [],
    isReadOnly: false,
    errorOf(name) {
      const message = getFieldState(name, hookForm.formState).error?.message;
      return message === undefined ? undefined : errorSentence(message);
    },
    submit: (event) => void hookForm.handleSubmit(run, () => setFailure(undefined))(event),
    discard() {
      reset(values, { keepFieldsRef: true });
      setLoaded(values);
      setFailure(undefined);
    },
  };
  return { form, conflicts, loaded, setLoaded, reset, reportLate };
}

function wrongText(labels: readonly string[]): string {
  return `Nothing was saved. Correct: ${labels.join(", ")}.`;
}

/** A text that may stay empty, which is `none` once parsed. */
export function emptyAs<Output, Filled extends string | null | undefined>(
  none: null | undefined,
  schema: z.ZodMiniType<Output, Filled>,
) {
  const filled = (text: string): string | null | undefined => (text.trim() === "" ? none : text);
  return z.pipe(z.transform(filled), schema);
}
