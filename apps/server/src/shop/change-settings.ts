import { createHash } from "node:crypto";
import { type FieldError, forEachField, keptPictureOf } from "@keepsats/domain";
import { type ShopSettings, type ShopSettingsPatch, shopSettingNames } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { Database, Queries, UnitOfWork } from "../db/database.ts";
import { isThere } from "../pictures/own-pictures.ts";
import { touchPicture } from "../pictures/picture-repository.ts";
import { readChangedSettings, settingsIn, storeSetting } from "./setting-repository.ts";
import { settingsInForce } from "./shop-settings.ts";

/** A setting in force; who changed it and when (epoch milliseconds), if somebody did. */
export interface SettingState {
  readonly value: string | null;
  readonly changed_by?: string;
  readonly changed_at?: number;
}

/** All settings in force, by name. */
export type SettingStates = Record<keyof ShopSettings, SettingState>;

/** All settings, and what identifies them: another text after each change. */
export interface VersionedSettings {
  readonly version: string;
  readonly settings: SettingStates;
}

/**
 * What has become of a change. `changed`: the settings are not of the expected version any more;
 * `invalid`: the shop has no such logo. Nothing was stored then.
 */
export type SettingsChange =
  | { readonly kind: "stored"; readonly current: VersionedSettings }
  | { readonly kind: "changed" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** Reads and changes the shop settings for the merchant. */
export interface EditSettings {
  read(): Promise<VersionedSettings>;
  /**
   * Stores the settings of a patch, and keeps the others. A setting that has the value already
   * keeps who changed it and when.
   *
   * When the promise resolves, the change is committed, published on the bus, and in the pages of
   * this process.
   *
   * @param by the name of whoever changes them, and the version that they have read; without it the
   *   last change wins
   */
  change(
    patch: ShopSettingsPatch,
    by: { readonly name: string; readonly expectedVersion?: string | undefined },
  ): Promise<SettingsChange>;
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly now: Clock;
  readonly first: ShopSettings;
  /** Lists the paths of the pictures in the shop's folder. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when this process has read every published change. */
  readonly settled: () => Promise<void>;
}

export function createEditSettings({
  database,
  bus,
  now,
  first,
  settled,
  listPictures,
}: Dependencies): EditSettings {
  async function settingsOf(db: Queries): Promise<VersionedSettings> {
    const changed = await readChangedSettings(db);
    const inForce = settingsInForce(first, changed);
    const stateOf = (name: keyof ShopSettings): SettingState => {
      const change = changed[name];
      if (change === undefined) return { value: inForce[name] };
      return { value: change.value, changed_by: change.by, changed_at: change.at };
    };
    const settings = forEachField(shopSettingNames, stateOf);
    return { version: versionOf(settings), settings };
  }

  return {
    read: () => settingsOf(database.db),
    async change(patch, { name: by, expectedVersion }) {
      // Before the transaction, because on SQLite all other writers wait for a transaction.
      const inFolder = await listPictures();
      const change = await database.inTransaction(async (unit): Promise<SettingsChange> => {
        await unit.lock("shop-settings");
        const { version, settings } = await settingsOf(unit.db);
        if (expectedVersion !== undefined && expectedVersion !== version)
          return { kind: "changed" };
        const changes = settingsIn(patch).filter(
          ([name, value]) => !isStored(settings[name], value),
        );
        const logo = changes.find(([name]) => name === "logo")?.[1] ?? undefined;
        if (
          logo !== undefined &&
          !(await takeIntoUse(unit, logo, { inFolder, at: database.now() }))
        )
          return { kind: "invalid", errors: [missingLogo] };
        for (const [name, value] of changes)
          await storeSetting(unit, name, { value, by, at: now() });
        if (changes.length > 0) unit.afterCommit(() => bus.publish({ topic: "shop" }));
        return { kind: "stored", current: await settingsOf(unit.db) };
      });
      await settled();
      return change;
    },
  };
}

const missingLogo: FieldError = {
  path: "logo",
  message:
    'must be a picture that the shop has: upload it, or put it into catalogue/pictures and run "npm run build", or give an https address',
};

/**
 * Notes that an uploaded picture is in use. Whoever deletes unused pictures at the same moment
 * keeps it, or has deleted it before.
 *
 * @returns whether the picture of this address is there
 */
async function takeIntoUse(
  { db }: UnitOfWork,
  url: string,
  { inFolder, at }: { readonly inFolder: ReadonlySet<string>; readonly at: number },
): Promise<boolean> {
  if (!url.startsWith("/pictures/") || isThere(url, inFolder)) return true;
  const id = keptPictureOf(url)?.id;
  const picture = id === undefined ? undefined : await touchPicture(db, id, at);
  return picture?.url === url;
}

/**
 * Whether somebody has stored this value; a first value is not stored, and may be another one after
 * a restart.
 */
function isStored({ value: present, changed_by }: SettingState, value: string | null): boolean {
  return changed_by !== undefined && present === value;
}

/** What identifies settings: all of them, with who changed them and when. */
function versionOf(settings: SettingStates): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 22);
}
