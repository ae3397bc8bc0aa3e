import { paths, type ShopSettingName, shopSettingsAnswerSchema } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, failureText } from "../../lib/api.ts";
import {
  afterSaving,
  checkEdits,
  type Edits,
  type Faults,
  keepMine,
  overtakenNames,
  type Stored,
  takeStored,
  withText,
} from "./settings-draft.ts";
import { settingsQuery } from "./settings-queries.ts";

const draftKey = ["settings-draft"];
const noFaults: Faults = new Map();

/**
 * What is typed into the shop settings. It outlives the screen, so that the browser's Back button or the end of the session
 * loses nothing.
 */
export function useSettingsDraft(stored: Stored) {
  const client = useQueryClient();
  const [edits, setEdits] = useState<Edits>(() => client.getQueryData<Edits>(draftKey) ?? new Map());
  const [faults, setFaults] = useState(noFaults);
  useEffect(() => {
    client.setQueryDefaults(draftKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(draftKey, edits);
  }, [client, edits]);

  const { save, isSaving, failure } = useSave((saved, sent) =>
    setEdits((now) => afterSaving(saved, now, sent)),
  );

  function submit(): void {
    const checked = checkEdits(edits);
    setFaults(checked.kind === "wrong" ? checked.faults : noFaults);
    if (checked.kind === "right" && edits.size > 0 && !isSaving) save(edits);
  }
  function discard(): void {
    setEdits(new Map());
    setFaults(noFaults);
    client.setQueryData(draftKey, new Map());
  }
  return {
    edits,
    faults,
    overtaken: overtakenNames(stored, edits),
    isSaving,
    failure,
    submit,
    discard,
    type: (name: ShopSettingName, text: string) => setEdits((now) => withText(stored, now, name, text)),
    keepMine: (name: ShopSettingName) => setEdits((now) => keepMine(stored, now, name)),
    takeStored: (name: ShopSettingName) => setEdits((now) => takeStored(now, name)),
  };
}
export type SettingsDraft = ReturnType<typeof useSettingsDraft>;

type Saved =
  | { readonly kind: "saved"; readonly stored: Stored }
  | { readonly kind: "overtaken" }
  | { readonly kind: "wrong" };

/** Saves what was typed, after a look whether somebody else has changed the same meanwhile. */
function useSave(onSaved: (stored: Stored, sent: Edits) => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { mutate, isPending, error, data } = useMutation({
    async mutationFn(sent: Edits): Promise<Saved> {
      const { settings } = await client.fetchQuery({ ...settingsQuery, staleTime: 0 });
      if (overtakenNames(settings, sent).length > 0) return { kind: "overtaken" };
      const checked = checkEdits(sent);
      if (checked.kind === "wrong") return { kind: "wrong" };
      const answer = await call({
        path: paths.merchant.settings,
        method: "PUT",
        body: checked.patch,
        answer: shopSettingsAnswerSchema,
      });
      client.setQueryData(settingsQuery.queryKey, answer);
      return { kind: "saved", stored: answer.settings };
    },
    onSuccess(result, sent) {
      if (result.kind !== "saved") return;
      onSaved(result.stored, sent);
      toasts.show({ kind: "success", title: "Saved", description: "The shop shows it at once." });
    },
  });
  const failure =
    error !== null
      ? `It was not saved. ${failureText(error)}`
      : data?.kind === "overtaken"
        ? "It was not saved: somebody else has changed the same. Choose what to keep."
        : undefined;
  return { save: mutate, isSaving: isPending, failure };
}
