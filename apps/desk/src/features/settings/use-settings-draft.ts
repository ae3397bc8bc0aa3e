import { call } from "@keepsats/client";
import {
  expectedVersionHeader,
  paths,
  type ShopSettingName,
  type ShopSettingsAnswer,
  type ShopSettingsPatch,
  shopSettingsAnswerSchema,
} from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { saveSettings } from "./save-settings.ts";
import {
  afterSaving,
  checkEdits,
  type Edits,
  type Faults,
  keepMine,
  overtakenNames,
  remainingFaults,
  type Stored,
  takeStored,
  withText,
} from "./settings-draft.ts";
import { settingsQuery } from "./settings-queries.ts";

const draftKey = ["settings-draft"];
const noFaults: Faults = new Map();

/**
 * What is typed into the shop settings. It outlives the screen, so that the end of the session
 * loses nothing.
 */
export function useSettingsDraft(stored: Stored) {
  const client = useQueryClient();
  const [edits, setEdits] = useState<Edits>(
    () => client.getQueryData<Edits>(draftKey) ?? new Map(),
  );
  const [told, setTold] = useState(noFaults);
  useEffect(() => {
    client.setQueryDefaults(draftKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(draftKey, edits);
  }, [client, edits]);

  const { save, isSaving, failure } = useSave((saved, sent) =>
    setEdits((now) => afterSaving(saved, now, sent)),
  );

  function submit(): void {
    const checked = checkEdits(edits);
    setTold(checked.kind === "wrong" ? checked.faults : noFaults);
    if (checked.kind === "right" && edits.size > 0 && !isSaving) save(edits);
  }
  function discard(): void {
    setEdits(new Map());
    setTold(noFaults);
    client.setQueryData(draftKey, new Map());
  }
  return {
    edits,
    faults: remainingFaults(told, edits),
    overtaken: overtakenNames(stored, edits),
    isSaving,
    failure,
    submit,
    discard,
    type: (name: ShopSettingName, text: string) =>
      setEdits((now) => withText(stored, now, name, text)),
    keepMine: (name: ShopSettingName) => setEdits((now) => keepMine(stored, now, name)),
    takeStored: (name: ShopSettingName) => setEdits((now) => takeStored(now, name)),
  };
}
export type SettingsDraft = ReturnType<typeof useSettingsDraft>;

/** Saves what was typed, unless somebody else has changed the same meanwhile. */
function useSave(onSaved: (stored: Stored, sent: Edits) => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const read = () => client.fetchQuery({ ...settingsQuery, staleTime: 0 });
  async function write(patch: ShopSettingsPatch, version: string): Promise<ShopSettingsAnswer> {
    const answer = await call({
      path: paths.merchant.settings,
      method: "PUT",
      headers: { [expectedVersionHeader]: version },
      body: patch,
      answer: shopSettingsAnswerSchema,
    });
    client.setQueryData(settingsQuery.queryKey, answer);
    return answer;
  }
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (sent: Edits) => saveSettings({ read, write }, sent),
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
