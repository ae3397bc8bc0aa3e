import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { flushSync } from "react-dom";
import { LeaveQuestion } from "../../ui/leave-question.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SettingField } from "./setting-field.tsx";
import type { Stored } from "./settings-draft.ts";
import { settingsQuery } from "./settings-queries.ts";
import { fieldGroups } from "./shop-fields.ts";
import { ShopPreview } from "./shop-preview.tsx";
import { useSettingsDraft } from "./use-settings-draft.ts";

/** The shop settings, for owners, with the shop beside them as it would look. */
export function ShopSection() {
  const query = useQuery(settingsQuery);
  return (
    <Loaded query={query} what="The shop settings">
      {({ settings }) => <SettingsForm stored={settings} />}
    </Loaded>
  );
}

function SettingsForm({ stored }: { stored: Stored }) {
  const draft = useSettingsDraft(stored);
  const { edits, faults, failure, isSaving } = draft;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // At once, so that the field to be corrected can be found.
    flushSync(draft.submit);
    event.currentTarget.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[3fr_2fr]">
      <form onSubmit={submit} noValidate className="min-w-0">
        {fieldGroups.map(({ title, names }) => (
          <fieldset key={title} className="mb-6 grid min-w-0 gap-4 border-t border-line pt-4">
            <legend className="pr-3">
              <h2 className="text-lg">{title}</h2>
            </legend>
            {names.map((name) => (
              <SettingField key={name} name={name} stored={stored} draft={draft} />
            ))}
          </fieldset>
        ))}
        <div
          data-save-bar
          className="bottom-0 z-20 border-t tall:sticky border-line bg-paper pt-3 pb-(--save-bar-padding)"
        >
          <p role="alert" className={failure === undefined ? "sr-only" : "mb-2 text-danger"}>
            {failure}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <Button kind="strong" type="submit" aria-disabled={isSaving || edits.size === 0}>
              {isSaving ? "Saving…" : "Save"}
            </Button>
            {edits.size > 0 && <Button onClick={draft.discard}>Discard changes</Button>}
            <p role="status" className="text-sm text-ink-soft">
              {stateWords(edits.size, faults.size)}
            </p>
          </div>
        </div>
      </form>
      <ShopPreview stored={stored} edits={edits} />
      {edits.size > 0 && <LeaveQuestion onDiscard={draft.discard} />}
    </div>
  );
}

function stateWords(changes: number, faults: number): string {
  if (changes === 0) return "Everything is saved.";
  const count = changes === 1 ? "1 change is not saved" : `${changes} changes are not saved`;
  return faults === 0 ? `${count}.` : `${count}: see the fields in red.`;
}
