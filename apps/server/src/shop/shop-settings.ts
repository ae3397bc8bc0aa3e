import { ACCENT } from "@keepsats/domain";
import type { ShopSettings } from "@keepsats/protocol";
import { createFollowedValue, type FollowedValue, type Following } from "../bus/followed-value.ts";
import type { Queries } from "../db/database.ts";
import { type ChangedSettings, readChangedSettings, settingsIn } from "./setting-repository.ts";

/**
 * Provides the shop settings of the moment. They are in memory, so reading them costs nothing; the
 * object is the same until one changes.
 */
export type ShopSettingsReader = FollowedValue<ShopSettings>;

const SAMPLE_TAGLINE = "Made to last. Pay with a loan against your bitcoin instead of selling it.";

interface Options extends Following {
  readonly db: Queries;
  readonly first: ShopSettings;
}

/**
 * The default settings. Name and contact come from the environment; the sample shop has a tagline.
 */
export function firstSettings({
  shopName: name,
  shopContact: contact = null,
  sampleCatalogue: isSample = false,
}: {
  readonly shopName: string;
  readonly shopContact: string | undefined | null;
  readonly sampleCatalogue?: boolean;
}): ShopSettings {
  const none = { delivery: null, returns: null, terms: null, privacy: null, logo: null };
  const tagline = isSample ? SAMPLE_TAGLINE : null;
  const emails = { greeting: null, signature: null, sign_in_emails: "on" } as const;
  return { name, contact, tagline, ...none, accent: ACCENT, ...emails };
}

/** The settings in force: the changed ones, and the first values of the others. */
export function settingsInForce(first: ShopSettings, changed: ChangedSettings): ShopSettings {
  const values = Object.entries(changed).map(([name, { value }]) => [name, value]);
  return { ...first, ...Object.fromEntries(values) };
}

/** Reads the shop settings now, and again whenever the bus reports a change. */
export function createShopSettings({
  db,
  first,
  ...following
}: Options): Promise<ShopSettingsReader> {
  async function read(before: ShopSettings | undefined): Promise<ShopSettings> {
    const now = settingsInForce(first, await readChangedSettings(db));
    const isSame =
      before !== undefined && settingsIn(now).every(([name, value]) => before[name] === value);
    return isSame ? before : now;
  }

  return createFollowedValue({ ...following, topic: "shop", read });
}
