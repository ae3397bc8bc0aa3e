import { ACCENT, timeZones } from "@keepsats/domain";
import type { ShopSettingName } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { Input } from "@keepsats/ui/input.tsx";
import type { ChangeEvent } from "react";
import { PICTURE_TYPES, uploadPicture } from "../../../lib/pictures.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Conflict } from "../../../ui/forms/conflict.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { Failure } from "../../../ui/rows.tsx";
import { isColour, type ShopForm, settingTexts } from "./shop-form.ts";

interface SettingFieldProps {
  readonly name: ShopSettingName;
  readonly form: ShopForm;
}

export function SettingField({ name, form }: SettingFieldProps) {
  const { label, hint, isLong } = settingTexts[name];
  const text = form.typed[name];
  const set = (value: string) =>
    form.setValue(name, value, { shouldValidate: form.errorOf(name) !== undefined });
  const field = { form, name, hint };
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
          <Conflict form={form} name={name} />
        </div>
      );
    case "logo":
      return (
        <div>
          <TextField {...field} />
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
          <TextField {...field} className="min-w-0 grow" />
          <Input
            label="Pick"
            aria-label="Pick the accent"
            type="color"
            value={isColour(text) ? text.toLowerCase() : ACCENT}
            onChange={({ target }) => set(target.value)}
            className="w-20 shrink-0"
          />
        </div>
      );
  }
  return <TextField {...field} rows={isLong ? 3 : undefined} />;
}

interface LogoUploadProps {
  readonly hasLogo: boolean;
  /** @param address empty for no logo */
  readonly onChange: (address: string) => void;
}

/** Uploads a picture. It becomes the logo when the form is saved. */
function LogoUpload({ hasLogo, onChange }: LogoUploadProps) {
  const { mutate, isPending, failure } = useAction(uploadPicture);

  function onFile({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // Reset, so that the same file can be chosen again after a failure.
    target.value = "";
    if (file !== undefined) mutate(file, { onSuccess: ({ url }) => onChange(url) });
  }
  return (
    <div className="flex flex-wrap items-end gap-3 pt-2">
      <Input
        label={isPending ? "Uploading…" : "Upload a logo"}
        type="file"
        accept={PICTURE_TYPES}
        disabled={isPending}
        onChange={onFile}
        className="min-w-0 grow"
      />
      {hasLogo && <Button onClick={() => onChange("")}>Remove the logo</Button>}
      <Failure text={failure} />
    </div>
  );
}
