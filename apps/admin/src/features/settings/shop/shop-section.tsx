import type { ShopSettingsAnswer } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { counted } from "../../../lib/format.ts";
import { LeaveQuestion } from "../../../ui/forms/form-modal.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { SettingField } from "./setting-field.tsx";
import { fieldGroups, shopSettingsQuery, shopValues, useShopForm } from "./shop-form.ts";
import { ShopPreview } from "./shop-preview.tsx";

export function ShopSection() {
  const query = useQuery(shopSettingsQuery);
  return (
    <Loaded query={query} subject="The shop settings">
      {(answer) => <SettingsForm answer={answer} />}
    </Loaded>
  );
}

function SettingsForm({ answer }: { answer: ShopSettingsAnswer }) {
  const form = useShopForm(answer);
  const { edited, failure, isSaving } = form;
  const isEdited = edited.length > 0;
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[3fr_2fr]">
      <form onSubmit={form.submit} noValidate className="min-w-0">
        {fieldGroups.map(({ title, names }) => (
          <fieldset key={title} className="mb-6 grid min-w-0 gap-4 border-t border-line pt-4">
            <legend className="pr-3">
              <h2 className="text-lg">{title}</h2>
            </legend>
            {names.map((name) => (
              <SettingField key={name} name={name} form={form} />
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
            <Button kind="strong" type="submit" aria-disabled={isSaving || !isEdited}>
              {isSaving ? "Saving…" : "Save"}
            </Button>
            {isEdited && <Button onClick={form.discard}>Discard changes</Button>}
            <p role="status" className="text-sm text-ink-soft">
              {unsavedText(edited.length)}
            </p>
          </div>
        </div>
      </form>
      <ShopPreview typed={form.typed} accent={shopValues(answer).accent} />
      <LeaveQuestion isUnsaved={isEdited} onDiscard={form.discard} />
    </div>
  );
}

function unsavedText(changes: number): string {
  if (changes === 0) return "Everything is saved.";
  return `${counted(changes, "unsaved change")}.`;
}
