import { isApiError } from "@keepsats/client";
import type { ShopSettingsAnswer, ShopSettingsPatch } from "@keepsats/protocol";
import { checkEdits, type Edits, overtakenNames, type Stored } from "./settings-draft.ts";

/**
 * What has become of what was typed. `overtaken`: somebody else has changed one of the same
 * settings, and nothing was stored.
 */
export type Saved =
  | { readonly kind: "saved"; readonly stored: Stored }
  | { readonly kind: "overtaken" }
  | { readonly kind: "wrong" };

/**
 * How often a change is sent that is refused because somebody has changed other settings at the
 * same moment.
 */
const ATTEMPTS = 5;

interface Shop {
  /** Reads the settings as they are now. */
  read(): Promise<ShopSettingsAnswer>;
  /**
   * Stores a change of these settings of that version. @throws {ApiError} `settings_changed`: they
   * have another one now
   */
  write(patch: ShopSettingsPatch, version: string): Promise<ShopSettingsAnswer>;
}

/**
 * Saves what was typed, if nobody else has changed the same meanwhile. What others have changed in
 * other settings stays.
 *
 * @throws {ApiError} as `read` and `write` throw it
 */
export async function saveSettings({ read, write }: Shop, edits: Edits): Promise<Saved> {
  for (let left = ATTEMPTS; ; left -= 1) {
    const { settings, version } = await read();
    if (overtakenNames(settings, edits).length > 0) return { kind: "overtaken" };
    const checked = checkEdits(edits);
    if (checked.kind === "wrong") return { kind: "wrong" };
    try {
      return { kind: "saved", stored: (await write(checked.patch, version)).settings };
    } catch (error) {
      if (left <= 1 || !isSettingsChanged(error)) throw error;
    }
  }
}

function isSettingsChanged(error: unknown): boolean {
  return isApiError(error) && error.problem?.code === "settings_changed";
}
