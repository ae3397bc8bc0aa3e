import { ACCENT } from "@keepsats/domain";
import type { ShopSettings } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import type { Queries } from "../db/database.ts";
import { type ChangedSettings, readChangedSettings, settingsIn } from "./setting-repository.ts";

/** Provides the shop settings of the moment. They are in memory, so reading them costs nothing. */
export interface ShopSettingsReader {
  /** The same object until a setting changes. */
  current(): ShopSettings;
  /** Resolves when no read is in progress: every change that this process has published is in {@link current}. */
  settled(): Promise<void>;
  close(): void;
}

interface Options {
  readonly db: Queries;
  readonly bus: Bus;
  readonly first: ShopSettings;
  readonly onError: (error: unknown) => void;
  /** The interval of periodic re-reads in milliseconds; they find changes whose messages the bus has lost. */
  readonly reread: number;
}

/** The settings of a shop in which nobody has changed any. Name and contact come from the environment. */
export function firstSettings({
  shopName: name,
  shopContact: contact = null,
}: {
  readonly shopName: string;
  readonly shopContact: string | undefined | null;
}): ShopSettings {
  const none = { delivery: null, returns: null, terms: null, privacy: null, logo: null };
  return { name, contact, ...none, accent: ACCENT, greeting: null, signature: null };
}

/** The settings in force: the changed ones, and the first values of the others. */
export function settingsInForce(first: ShopSettings, changed: ChangedSettings): ShopSettings {
  const values = Object.entries(changed).map(([name, { value }]) => [name, value]);
  return { ...first, ...Object.fromEntries(values) };
}

/** Reads the shop settings now, and again whenever the bus reports a change. */
export async function createShopSettings(options: Options): Promise<ShopSettingsReader> {
  const { db, bus, first, onError, reread } = options;
  const readAll = async () => settingsInForce(first, await readChangedSettings(db));
  let settings = await readAll();
  const state: CoalescedRead = { reading: undefined, stale: false };

  async function read(): Promise<void> {
    const now = await readAll();
    if (settingsIn(now).some(([name, value]) => settings[name] !== value)) settings = now;
  }

  function refresh(): void {
    readCoalesced(state, read).catch(onError);
  }

  const endSubscription = bus.subscribe(({ topic }) => {
    if (topic === "shop" || topic === "gap") refresh();
  });
  const rereading = setInterval(refresh, reread);
  rereading.unref();
  return {
    current: () => settings,
    settled: async () => state.reading?.catch(() => {}),
    close() {
      endSubscription();
      clearInterval(rereading);
    },
  };
}
