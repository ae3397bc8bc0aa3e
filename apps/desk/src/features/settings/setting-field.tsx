import { ACCENT, keptPictureOf } from "@keepsats/domain";
import type { ShopSettingName, ShopSettingsAnswer } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { Conflict } from "../../ui/conflict.tsx";
import { LongTextField, TextField } from "../../ui/form-fields.tsx";
import { Time } from "../../ui/time.tsx";
import { accentWords, isColour } from "./accent-words.ts";
import { LogoUpload } from "./logo-upload.tsx";
import { fieldWords, type ShopForm } from "./shop-form.ts";

interface SettingFieldProps {
  readonly name: ShopSettingName;
  readonly state: ShopSettingsAnswer["settings"][ShopSettingName];
  readonly form: ShopForm;
}

/** The field of one setting, with its error and its conflict. */
export function SettingField({ name, state, form }: SettingFieldProps) {
  const { label, hint, isLong } = fieldWords[name];
  const text = form.typed[name];
  const error = form.errorOf(name);
  const set = (value: string) =>
    form.setValue(name, value, { shouldValidate: error !== undefined });
  const conflict = form.conflicts.find((one) => one.name === name);
  const { changed_by = "Someone else", changed_at } = state;
  const who = (
    <>
      {changed_by}
      {changed_at !== undefined && (
        <>
          {" "}
          (<Time at={changed_at} />)
        </>
      )}
    </>
  );
  if (isLong) return <LongTextField form={form} name={name} hint={hint} who={who} />;
  switch (name) {
    case "sign_in_emails":
      return (
        <div>
          <Checkbox
            label={label}
            checked={text === "on"}
            onChange={(isOn) => set(isOn ? "on" : "off")}
          />
          <p className="text-sm text-ink-soft">{hint}</p>
          <Conflict conflict={conflict} who={who} />
        </div>
      );
    case "logo":
      return (
        <div>
          {keptPictureOf(text) === undefined ? (
            <TextField form={form} name={name} hint={hint} who={who} />
          ) : (
            <>
              <UploadedLogo label={label} error={error} />
              <Conflict conflict={conflict} who={who} />
            </>
          )}
          <LogoUpload hasLogo={text !== ""} onChange={set} />
        </div>
      );
    case "accent":
      return (
        <div className="flex items-start gap-3">
          <TextField
            form={form}
            name={name}
            hint={accentWords(text) ?? hint}
            who={who}
            className="min-w-0 grow"
          />
          <ColourPicker value={text} onPick={set} />
        </div>
      );
  }
  return <TextField form={form} name={name} hint={hint} who={who} />;
}

/** Stands for the address of a picture that the shop keeps: the preview shows it. */
function UploadedLogo({ label, error }: { label: string; error: string | undefined }) {
  return (
    <>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <p>An uploaded picture. The preview shows it.</p>
      {error !== undefined && <p className="pt-0.5 text-sm text-danger">{error}</p>}
    </>
  );
}

/** The browser's own way to pick a colour; the text field beside it takes the same. */
function ColourPicker({ value, onPick }: { value: string; onPick: (colour: string) => void }) {
  return (
    <label className="shrink-0">
      <span className="mb-1 block text-sm font-medium">Pick</span>
      <input
        type="color"
        aria-label="Pick the accent"
        value={isColour(value) ? value.toLowerCase() : ACCENT}
        onChange={(event) => onPick(event.target.value)}
        className="h-11 w-14 rounded-md border border-line-strong bg-raised p-1"
      />
    </label>
  );
}
