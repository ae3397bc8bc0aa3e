import { ACCENT, timeZones, uploadedPictureOf } from "@keepsats/domain";
import type { ShopSettingName, ShopSettingsAnswer } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import type { ChangeEvent } from "react";
import { PICTURE_TYPES, uploadPicture } from "../../../lib/pictures.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Conflict } from "../../../ui/conflict.tsx";
import { TextField } from "../../../ui/form-fields.tsx";
import { Time } from "../../../ui/values.tsx";
import { accentText, isColour, type ShopForm, settingTexts } from "./shop-form.ts";

interface SettingFieldProps {
  readonly name: ShopSettingName;
  readonly state: ShopSettingsAnswer["settings"][ShopSettingName];
  readonly form: ShopForm;
}

export function SettingField({ name, state, form }: SettingFieldProps) {
  const { label, hint, isLong } = settingTexts[name];
  const text = form.typed[name];
  const error = form.errorOf(name);
  const set = (value: string) =>
    form.setValue(name, value, { shouldValidate: error !== undefined });
  const { changed_by = "Someone else", changed_at } = state ?? {};
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
  const field = { form, name, hint, who };
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
          <Conflict form={form} name={name} who={who} />
        </div>
      );
    case "logo":
      return (
        <div>
          {uploadedPictureOf(text) === undefined ? (
            <TextField {...field} />
          ) : (
            <>
              <UploadedLogo label={label} error={error} />
              <Conflict form={form} name={name} who={who} />
            </>
          )}
          <LogoUpload hasLogo={text !== ""} onChange={set} />
        </div>
      );
    case "time_zone":
      return (
        <>
          <TextField {...field} list="time-zones" />
          <datalist id="time-zones">
            {timeZones().map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      );
    case "accent":
      return (
        <div className="flex items-start gap-3">
          <TextField {...field} hint={accentText(text) ?? hint} className="min-w-0 grow" />
          <ColourPicker value={text} onPick={set} />
        </div>
      );
  }
  return <TextField {...field} rows={isLong ? 3 : undefined} />;
}

/** Replaces the address of an uploaded picture, which the preview shows. */
function UploadedLogo({ label, error }: { label: string; error: string | undefined }) {
  return (
    <>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <p>An uploaded picture. The preview shows it.</p>
      {error !== undefined && <p className="pt-0.5 text-sm text-danger">{error}</p>}
    </>
  );
}

/** The browser's colour picker for the text field beside it. */
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

interface LogoUploadProps {
  readonly hasLogo: boolean;
  /** @param address empty for no logo */
  readonly onChange: (address: string) => void;
}

/** Uploads a picture. It becomes the logo when the form is saved. */
function LogoUpload({ hasLogo, onChange }: LogoUploadProps) {
  const { mutate, isPending, failure } = useAction(uploadPicture, { invalidates: [] });

  function onFile({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // Reset, so that the same file can be chosen again after a failure.
    target.value = "";
    if (file !== undefined) mutate(file, { onSuccess: ({ url }) => onChange(url) });
  }
  return (
    <div className="flex flex-wrap items-center gap-3 pt-2">
      <label
        className={classes(
          buttonClasses("plain"),
          "relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
        )}
      >
        {isPending ? "Uploading…" : "Upload a logo"}
        <input
          type="file"
          accept={PICTURE_TYPES}
          disabled={isPending}
          onChange={onFile}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </label>
      {hasLogo && <Button onClick={() => onChange("")}>Remove the logo</Button>}
      <p role="alert" className={failure === undefined ? "sr-only" : "text-sm text-danger"}>
        {failure}
      </p>
    </div>
  );
}
