import {
  type ShopSettingName,
  type ShopSettingsPatch,
  shopSettingNames,
  shopSettingsPatchSchema,
} from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";

/** A setting that somebody has changed. */
export interface ChangedSetting {
  readonly value: string | null;
  /** The name of the member of staff or of the API token. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The settings that have been changed, by name. */
export type ChangedSettings = Partial<Record<ShopSettingName, ChangedSetting>>;

/**
 * Reads the changed settings. A row that this version does not understand, for example one of a
 * newer version, is left out.
 */
export async function readChangedSettings(db: Queries): Promise<ChangedSettings> {
  const rows = await db.selectFrom("shop_settings").selectAll().execute();
  const changed: ChangedSettings = {};
  for (const { name, value, changed_by: by, changed_at: at } of rows) {
    for (const [known, valid] of settingsIn(patchOf(name, value)))
      changed[known] = { value: valid, by, at };
  }
  return changed;
}

function patchOf(name: string, json: string): ShopSettingsPatch {
  try {
    return shopSettingsPatchSchema.safeParse({ [name]: JSON.parse(json) }).data ?? {};
  } catch {
    return {};
  }
}

/** The settings of a patch, as pairs of name and value. */
export function settingsIn(patch: ShopSettingsPatch): [ShopSettingName, string | null][] {
  return shopSettingNames.flatMap((name) => {
    const value = patch[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** Stores a setting; it replaces the former one. */
export async function storeSetting(
  { db }: UnitOfWork,
  name: ShopSettingName,
  { value, by, at }: ChangedSetting,
): Promise<void> {
  const columns = { value: JSON.stringify(value), changed_by: by, changed_at: at };
  await db
    .insertInto("shop_settings")
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(columns))
    .execute();
}
