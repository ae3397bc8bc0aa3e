import { type FieldError, mapFields, uploadedPictureOf } from "@keepsats/domain";
import { type ShopSettings, type ShopSettingsPatch, shopSettingNames } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Platform } from "../../platform/platform.ts";
import { sha256Text } from "../../platform/secrets.ts";
import { isAvailable, touchPicture } from "../catalogue/index.ts";
import {
  currentSettings,
  readChangedSettings,
  settingEntries,
  storeSetting,
} from "./shop-settings.ts";

/** The current value of a setting; a default has no author and no time (epoch milliseconds). */
interface SettingState {
  readonly value: string | null;
  readonly changed_by?: string;
  readonly changed_at?: number;
}

/** All settings, by name. */
type SettingStates = Record<keyof ShopSettings, SettingState>;

/** All settings, and their version, which every change replaces. */
export interface VersionedSettings {
  readonly version: string;
  readonly settings: SettingStates;
}

/**
 * The outcome of a change. `conflict`: the expected version is not the current one; `invalid`: the
 * shop has no such logo, or has orders, whose numbers must not change. Both store nothing.
 */
export type SettingsOutcome =
  | { readonly kind: "stored"; readonly current: VersionedSettings }
  | { readonly kind: "conflict" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

export interface EditSettings {
  read(): Promise<VersionedSettings>;
  /**
   * Stores the settings of a patch, and keeps the others. A setting that already has the value
   * keeps its author and time. Resolves when the change is committed, published on the bus, and
   * shown by the pages of this process.
   *
   * @param by the author, and the version that the author has read; without it the last change wins
   */
  change(
    patch: ShopSettingsPatch,
    by: { readonly name: string; readonly expectedVersion?: string | undefined },
  ): Promise<SettingsOutcome>;
}

interface Dependencies {
  readonly defaults: ShopSettings;
  /** Lists the paths of the pictures in the shop's folder. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Whether an order was ever placed. */
  readonly hasOrders: (db: Queries) => Promise<boolean>;
  /** Resolves when this process has read every published change. */
  readonly caughtUp: () => Promise<void>;
}

export function createEditSettings(
  { database, bus, now }: Pick<Platform, "database" | "bus" | "now">,
  { defaults, caughtUp, listPictures, hasOrders }: Dependencies,
): EditSettings {
  async function readSettings(db: Queries): Promise<VersionedSettings> {
    const changed = await readChangedSettings(db);
    const current = currentSettings(defaults, changed);
    const stateOf = (name: keyof ShopSettings): SettingState => {
      const change = changed[name];
      if (change === undefined) return { value: current[name] };
      return { value: change.value, changed_by: change.by, changed_at: change.at };
    };
    const settings = mapFields(shopSettingNames, stateOf);
    return { version: versionOf(settings), settings };
  }

  return {
    read: () => readSettings(database.db),
    async change(patch, { name: by, expectedVersion }) {
      // Before the transaction: on SQLite all other writers wait for it.
      const inFolder = await listPictures();
      const change = await database.inTransaction(async (unit): Promise<SettingsOutcome> => {
        await unit.lock("shop-settings");
        const { version, settings } = await readSettings(unit.db);
        if (expectedVersion !== undefined && expectedVersion !== version)
          return { kind: "conflict" };
        const changes = settingEntries(patch).filter(
          ([name, value]) => !isStored(settings[name], value),
        );
        const logo = changes.find(([name]) => name === "logo")?.[1] ?? undefined;
        if (
          logo !== undefined &&
          !(await takeIntoUse(unit, logo, { inFolder, at: database.now() }))
        )
          return { kind: "invalid", errors: [missingLogo] };
        const { order_number_start: start = null } = patch;
        if (
          start !== null &&
          start !== settings.order_number_start.value &&
          (await hasOrders(unit.db))
        )
          return { kind: "invalid", errors: [lateStart] };
        for (const [name, value] of changes)
          await storeSetting(unit, name, { value, by, at: now() });
        if (changes.length > 0) unit.afterCommit(() => bus.publish({ topic: "shop" }));
        return { kind: "stored", current: await readSettings(unit.db) };
      });
      await caughtUp();
      return change;
    },
  };
}

const missingLogo: FieldError = {
  path: "logo",
  message:
    'must be a picture that the shop has: upload it, put it into catalogue/pictures and run "npm run build", or give an https address',
};

const lateStart: FieldError = {
  path: "order_number_start",
  message: "must stay as it is: the shop has orders, and their numbers must not change",
};

/**
 * Marks an uploaded picture as used. A concurrent deletion of unused pictures either keeps it, or
 * has deleted it before.
 *
 * @returns whether the picture exists
 */
async function takeIntoUse(
  { db }: UnitOfWork,
  url: string,
  { inFolder, at }: { readonly inFolder: ReadonlySet<string>; readonly at: number },
): Promise<boolean> {
  if (!url.startsWith("/pictures/") || isAvailable(url, inFolder)) return true;
  const id = uploadedPictureOf(url)?.id;
  const picture = id === undefined ? undefined : await touchPicture(db, id, at);
  return picture?.url === url;
}

/** Whether the value is already stored. A default is not: it may differ after a restart. */
function isStored({ value: present, changed_by }: SettingState, value: string | null): boolean {
  return changed_by !== undefined && present === value;
}

function versionOf(settings: SettingStates): string {
  return sha256Text(JSON.stringify(settings)).slice(0, 22);
}
