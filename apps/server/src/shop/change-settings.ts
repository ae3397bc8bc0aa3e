import { forEachField } from "@keepsats/domain";
import { type ShopSettings, type ShopSettingsPatch, shopSettingNames } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { Database, Queries } from "../db/database.ts";
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

/** Reads and changes the shop settings for the merchant. */
export interface EditSettings {
  read(): Promise<SettingStates>;
  /**
   * Stores the settings of a patch, and keeps the others. A setting that has the value already keeps who changed it and when.
   *
   * When the promise resolves, the change is committed, published on the bus, and in the pages of this process.
   *
   * @param by the name of whoever changes them
   */
  change(patch: ShopSettingsPatch, by: string): Promise<SettingStates>;
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly now: Clock;
  readonly first: ShopSettings;
  /** Resolves when this process has read every published change. */
  readonly settled: () => Promise<void>;
}

export function createEditSettings({ database, bus, now, first, settled }: Dependencies): EditSettings {
  async function statesIn(db: Queries): Promise<SettingStates> {
    const changed = await readChangedSettings(db);
    const inForce = settingsInForce(first, changed);
    const stateOf = (name: keyof ShopSettings): SettingState => {
      const change = changed[name];
      if (change === undefined) return { value: inForce[name] };
      return { value: change.value, changed_by: change.by, changed_at: change.at };
    };
    return forEachField(shopSettingNames, stateOf);
  }

  return {
    read: () => statesIn(database.db),
    async change(patch, by) {
      const states = await database.inTransaction(async (unit) => {
        await unit.lock("shop-settings");
        const before = await readChangedSettings(unit.db);
        const changes = settingsIn(patch).filter(([name, value]) => before[name]?.value !== value);
        for (const [name, value] of changes) await storeSetting(unit, name, { value, by, at: now() });
        if (changes.length > 0) unit.afterCommit(() => bus.publish({ topic: "shop" }));
        return statesIn(unit.db);
      });
      await settled();
      return states;
    },
  };
}
