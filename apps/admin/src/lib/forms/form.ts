import { zodResolver } from "@hookform/resolvers/zod";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, use, useEffect, useLayoutEffect, useState } from "react";
import {
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type * as z from "zod/mini";
import { fieldErrorText } from "../api.ts";
import { draftKeyOf } from "../queries.ts";
import { SessionContext } from "../session.ts";
import { useAction } from "../use-action.ts";
import { isSame, type Merged, mergeEdits, type Name } from "./merge-edits.ts";

export interface FormOptions<Input extends FieldValues> {
  /** The notice after a success, such as "Address corrected"; no notice by default. */
  readonly done?: string;
  readonly labels: Readonly<Record<Name<Input>, string>>;
  /** Keeps unsaved input under this key while the form is off the screen, also across a sign-in. */
  readonly draftKey?: QueryKey;
}

export interface FormState {
  readonly isSaving: boolean;
  readonly failure: string | undefined;
  /** Does nothing while an earlier submit is being saved. */
  readonly submit: (event: FormEvent) => void;
}

export interface Form<Input extends FieldValues>
  extends FormState,
    Pick<UseFormReturn<Input>, "register" | "setValue" | "setFocus" | "getValues"> {
  readonly labels: FormOptions<Input>["labels"];
  /** The values that the fields show. */
  readonly typed: Input;
  readonly edited: readonly Name<Input>[];
  readonly conflicts: readonly FieldConflict[];
  readonly errorOf: (name: Path<Input>) => string | undefined;
  /** Whether a new record is being saved: edits made now would be lost. */
  readonly isReadOnly: boolean;
  /** Resets the fields to the stored values. */
  readonly discard: () => void;
}

/** An edited field whose stored value a colleague has changed. */
export interface FieldConflict {
  readonly name: string;
  readonly label: string;
  readonly stored: string;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

/** Keeps the focus and the errors when a reset gives fields other values. */
export const KEEP = { keepFieldsRef: true, keepErrors: true, keepIsSubmitted: true } as const;

interface NewFormOptions<Input extends FieldValues, Output> extends FormOptions<Input> {
  readonly schema: z.ZodMiniType<Output, Input>;
  /** The initial values. Fields that are not edited follow them when they change. */
  readonly values: Input;
  readonly save: (output: Output) => Promise<unknown>;
}

/** A form for a new record. */
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

interface Draft<Input> {
  readonly base: Input;
  readonly typed: Input;
}

interface DraftOptions<Input extends FieldValues, Output>
  extends FormOptions<Input>,
    Pick<NewFormOptions<Input, Output>, "values" | "save"> {
  readonly resolverOf: (edited: readonly Name<Input>[]) => Resolver<Input, unknown, Output>;
  /** The values that edits are based on after `values` have changed. */
  readonly baseOf: (merged: Merged<Input>) => Input;
}

/** The part that forms for new and for stored records share. */
export function useDraft<Input extends FieldValues, Output>(options: DraftOptions<Input, Output>) {
  const { labels, values, save, resolverOf, baseOf } = options;
  const client = useQueryClient();
  const staffId = use(SessionContext)?.staff.id;
  const draftKey = options.draftKey && draftKeyOf(staffId, options.draftKey);
  const [opened] = useState((): Draft<Input> => {
    const kept = draftKey && client.getQueryData<Draft<Input>>(draftKey);
    return kept ?? { base: values, typed: values };
  });
  const [base, setBase] = useState(opened.base);
  const merge = (typed: Input) => mergeEdits({ base, stored: values, typed });
  const { register, setValue, setFocus, getValues, getFieldState, reset, ...hookForm } = useForm<
    Input,
    unknown,
    Output
  >({
    resolver: (typed, ...rest) => resolverOf(merge(typed).edited)(typed, ...rest),
    values: opened.typed,
  });
  const { mutate, isPending, ...saving } = useAction(
    save,
    options.done,
    new Map(Object.entries<string>(labels)),
  );
  const typed = hookForm.watch();
  const { errors } = hookForm.formState;
  const { edited, conflicts } = merge(typed);

  useEffect(() => {
    if (draftKey === undefined) return;
    client.setQueryDefaults(draftKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData<Draft<Input>>(draftKey, { base, typed });
  });

  // A layout effect runs before the browser handles the next key, which would be lost otherwise.
  useLayoutEffect(() => {
    const shown = getValues();
    const merged = merge(shown);
    const nextBase = baseOf(merged);
    if (!isSame(merged.typed, shown)) reset(merged.typed, KEEP);
    if (!isSame(nextBase, base)) setBase(nextBase);
  });

  const wrong = Object.entries<string>(labels).filter(([name]) => name in errors);

  const form: Form<Input> = {
    register,
    setValue,
    setFocus,
    getValues,
    labels,
    typed,
    edited,
    isSaving: isPending,
    failure: wrong.length === 0 ? saving.failure : wrongText(wrong.map(([, label]) => label)),
    conflicts: [],
    isReadOnly: false,
    errorOf(name) {
      const message = getFieldState(name, hookForm.formState).error?.message;
      return message === undefined ? undefined : fieldErrorText(message);
    },
    submit: (event) => void hookForm.handleSubmit((output) => mutate(output), saving.reset)(event),
    discard() {
      reset(values, { keepFieldsRef: true });
      setBase(values);
      saving.reset();
      // The form may be closed by now.
      if (draftKey !== undefined)
        client.setQueryData<Draft<Input>>(draftKey, { base: values, typed: values });
    },
  };
  return { form, conflicts, base, setBase, reset, clearFailure: saving.reset };
}

function wrongText(labels: readonly string[]): string {
  return `Nothing was saved. Please fix: ${labels.join(", ")}.`;
}
