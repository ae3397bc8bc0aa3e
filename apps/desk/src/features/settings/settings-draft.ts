import {
  type ShopSettingName,
  type ShopSettingsAnswer,
  type ShopSettingsPatch,
  shopSettingNames,
  shopSettingsPatchSchema,
} from "@keepsats/protocol";

/** The settings as the shop has them. */
export type Stored = ShopSettingsAnswer["settings"];

/** What was typed for a setting, and the stored text that whoever typed it has seen. */
interface Edit {
  readonly text: string;
  readonly seen: string;
}

/** What was typed and is not saved, by setting. */
export type Edits = ReadonlyMap<ShopSettingName, Edit>;

/** Settings that are never without a value. */
const required: readonly ShopSettingName[] = ["name", "accent", "sign_in_emails"];

export function storedText(stored: Stored, name: ShopSettingName): string {
  return stored[name].value ?? "";
}

/** What a field shows: what was typed, or else what is stored. */
export function shownText(stored: Stored, edits: Edits, name: ShopSettingName): string {
  return edits.get(name)?.text ?? storedText(stored, name);
}

/** Notes what was typed. A text that is stored already is no edit. */
export function withText(stored: Stored, edits: Edits, name: ShopSettingName, text: string): Edits {
  const next = new Map(edits);
  const present = storedText(stored, name);
  if (text === present) next.delete(name);
  else next.set(name, { text, seen: edits.get(name)?.seen ?? present });
  return next;
}

/**
 * The edited settings that somebody else has changed since, to something else than what was typed.
 */
export function overtakenNames(stored: Stored, edits: Edits): ShopSettingName[] {
  return [...edits].flatMap(([name, { text, seen }]) => {
    const present = storedText(stored, name);
    return present === seen || present === text ? [] : [name];
  });
}

/** Decides that what was typed replaces what somebody else has stored. */
export function keepMine(stored: Stored, edits: Edits, name: ShopSettingName): Edits {
  const edit = edits.get(name);
  if (edit === undefined) return edits;
  return new Map(edits).set(name, { text: edit.text, seen: storedText(stored, name) });
}

/** Drops what was typed for a setting. */
export function takeStored(edits: Edits, name: ShopSettingName): Edits {
  const next = new Map(edits);
  next.delete(name);
  return next;
}

/** What is left to save after `sent` was saved: what was typed meanwhile. */
export function afterSaving(stored: Stored, edits: Edits, sent: Edits): Edits {
  const next = new Map<ShopSettingName, Edit>();
  for (const [name, edit] of edits) {
    const saved = sent.get(name);
    if (saved === undefined) next.set(name, edit);
    else if (saved.text !== edit.text)
      next.set(name, { text: edit.text, seen: storedText(stored, name) });
  }
  return next;
}

export type Faults = ReadonlyMap<ShopSettingName, string>;

type Checked =
  | { readonly kind: "right"; readonly patch: ShopSettingsPatch }
  | { readonly kind: "wrong"; readonly faults: Faults };

/**
 * What is still wrong of what was told to be wrong. A fault that was not told yet waits until one
 * saves.
 */
export function remainingFaults(told: Faults, edits: Edits): Faults {
  const checked = checkEdits(edits);
  return checked.kind === "right"
    ? new Map()
    : new Map([...checked.faults].filter(([name]) => told.has(name)));
}

/**
 * Checks what was typed as the shop does. It has only what was edited, so that saving keeps what
 * others have changed.
 */
export function checkEdits(edits: Edits): Checked {
  const values = [...edits].map(([name, { text }]) => {
    const isNone = text.trim() === "" && !required.includes(name);
    return [name, isNone ? null : text] as const;
  });
  const checked = shopSettingsPatchSchema.safeParse(Object.fromEntries(values));
  if (checked.success) return { kind: "right", patch: checked.data };
  const faults = new Map<ShopSettingName, string>();
  for (const { path, message } of checked.error.issues) {
    const name = shopSettingNames.find((known) => known === path[0]);
    if (name !== undefined && !faults.has(name)) faults.set(name, `It ${message}.`);
  }
  return { kind: "wrong", faults };
}
