import { ACCENT, keptPictureOf } from "@keepsats/domain";
import type { ShopSettingName } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { Input, TextArea } from "../../ui/input.tsx";
import { Time } from "../../ui/time.tsx";
import { accentWords, isColour } from "./accent-words.ts";
import { LogoUpload } from "./logo-upload.tsx";
import { type Stored, shownText, storedText } from "./settings-draft.ts";
import { fieldWords } from "./shop-fields.ts";
import type { SettingsDraft } from "./use-settings-draft.ts";

interface SettingFieldProps {
  readonly name: ShopSettingName;
  readonly stored: Stored;
  readonly draft: SettingsDraft;
}

/**
 * The field of one setting, with what is wrong with it and what somebody else has made of it
 * meanwhile.
 */
export function SettingField({ name, stored, draft }: SettingFieldProps) {
  const { label, hint, isLong } = fieldWords[name];
  const text = shownText(stored, draft.edits, name);
  const error = draft.faults.get(name);
  const onType = (typed: string) => draft.type(name, typed);
  const shared = {
    label,
    name,
    value: text,
    error,
    hint: name === "accent" ? (accentWords(text) ?? hint) : hint,
  };
  return (
    <div>
      {name === "logo" && keptPictureOf(text) !== undefined ? (
        <UploadedLogo label={label} error={error} />
      ) : name === "sign_in_emails" ? (
        <>
          <Checkbox
            label={label}
            checked={text === "on"}
            onChange={(isOn) => onType(isOn ? "on" : "off")}
          />
          <p className="text-sm text-ink-soft">{hint}</p>
        </>
      ) : isLong ? (
        <TextArea {...shared} onChange={(event) => onType(event.target.value)} />
      ) : (
        <div className="flex items-start gap-3">
          <Input
            {...shared}
            className="min-w-0 grow"
            onChange={(event) => onType(event.target.value)}
          />
          {name === "accent" && <ColourPicker value={text} onPick={onType} />}
        </div>
      )}
      {name === "logo" && <LogoUpload hasLogo={text !== ""} onChange={onType} />}
      {draft.overtaken.includes(name) && (
        <Overtaken
          label={label}
          state={stored[name]}
          text={storedText(stored, name)}
          onKeep={() => draft.keepMine(name)}
          onTake={() => draft.takeStored(name)}
        />
      )}
    </div>
  );
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

interface OvertakenProps {
  readonly label: string;
  readonly state: Stored[ShopSettingName];
  /** What somebody else has stored. */
  readonly text: string;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

function Overtaken({ label, state, text, onKeep, onTake }: OvertakenProps) {
  const { changed_by = "Somebody", changed_at } = state;
  return (
    <div role="alert" className="mt-2 rounded-md bg-sunken p-3">
      <p className="text-sm">
        {changed_by} has changed this meanwhile
        {changed_at !== undefined && (
          <>
            {" "}
            (<Time at={changed_at} />)
          </>
        )}
        {text === "" ? ": it is empty now." : ":"}
      </p>
      {text !== "" && (
        <p className="scroll-hint my-2 max-h-30 text-sm wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onKeep} aria-label={`Keep mine: ${label}`}>
          Keep mine
        </Button>
        <Button onClick={onTake} aria-label={`Take theirs: ${label}`}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}
