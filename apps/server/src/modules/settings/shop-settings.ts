import {
  ACCENT,
  isWebAddress,
  ORDER_NUMBER_START,
  TIME_ZONE,
  vatRateFromPercent,
} from "@keepsats/domain";
import {
  paths,
  type ShopSettingName,
  type ShopSettings,
  type ShopSettingsPatch,
  sellerOf,
  shopSettingNames,
  shopSettingsPatchSchema,
  shopTextNames,
  shopTextSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Config } from "../../config/config.ts";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import {
  type CachedValue,
  createCachedValue,
  type RefreshOptions,
} from "../../platform/events/cached-value.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";
import { parseJson } from "../../platform/parse-json.ts";
import type { Platform } from "../../platform/platform.ts";

/** The current shop settings, in memory; the same object until one changes. */
export type ShopSettingsReader = CachedValue<ShopSettings>;

const SAMPLE_TAGLINE = "Made to last. Pay with a loan against your bitcoin instead of selling it.";

const RETURN_DAYS = "30";

/** Name and contact come from the environment; the sample shop has a tagline. */
export function defaultSettings({
  shopName,
  shopContact,
  sampleCatalogue,
}: Pick<Config, "shopName" | "shopContact" | "sampleCatalogue">): ShopSettings {
  return {
    name: shopName,
    contact: shopContact ?? null,
    tagline: sampleCatalogue ? SAMPLE_TAGLINE : null,
    intro: null,
    delivery: null,
    returns: null,
    terms: null,
    privacy: null,
    logo: null,
    accent: ACCENT,
    greeting: null,
    signature: null,
    sign_in_emails: "on",
    order_number_start: String(ORDER_NUMBER_START),
    return_days: RETURN_DAYS,
    time_zone: TIME_ZONE,
    seller_name: null,
    seller_address: null,
    tax_number: null,
    vat_rate: null,
  };
}

export function currentSettings(defaults: ShopSettings, changed: ChangedSettings): ShopSettings {
  const values = Object.entries(changed).map(([name, { value }]) => [name, value]);
  return { ...defaults, ...Object.fromEntries(values) };
}

export function createShopSettings(
  { database, bus, onError, rereadInterval }: RefreshOptions & Pick<Platform, "database">,
  defaults: ShopSettings,
): Promise<ShopSettingsReader> {
  async function read(before: ShopSettings | undefined): Promise<ShopSettings> {
    const now = currentSettings(defaults, await readChangedSettings(database.db));
    const isSame =
      before !== undefined && settingEntries(now).every(([name, value]) => before[name] === value);
    return isSame ? before : now;
  }

  return createCachedValue({ bus, onError, rereadInterval, topic: "shop", read });
}

/** What new receipts state. `vatRate`: in basis points; `null` without tax. */
export function receiptSettingsOf(settings: ShopSettings) {
  const { vat_rate } = settings;
  return {
    seller: sellerOf(settings),
    timeZone: settings.time_zone,
    vatRate: vat_rate === null ? null : (vatRateFromPercent(vat_rate) ?? null),
  };
}

/** A setting that staff have changed. */
interface ChangedSetting {
  readonly value: string | null;
  /** The name of the member of staff or of the API token. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

type ChangedSettings = Partial<Record<ShopSettingName, ChangedSetting>>;

/** Skips settings that this version cannot parse, such as those of a newer version. */
export async function readChangedSettings(db: Queries): Promise<ChangedSettings> {
  const rows = await db.selectFrom("shop_settings").selectAll().execute();
  const changed: ChangedSettings = {};
  for (const { name, value, changed_by: by, changed_at: at } of rows) {
    const patch = shopSettingsPatchSchema.safeParse({ [name]: parseJson(value) }).data ?? {};
    for (const [known, valid] of settingEntries(patch)) changed[known] = { value: valid, by, at };
  }
  return changed;
}

export function settingEntries(patch: ShopSettingsPatch): [ShopSettingName, string | null][] {
  return shopSettingNames.flatMap((name) => {
    const value = patch[name];
    return value === undefined ? [] : [[name, value]];
  });
}

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

const showShopText = {
  operationId: "showShopText",
  summary: "Get a text of the footer, such as the terms",
  description: "404 if the shop has none, or links to a page instead; the page has that link.",
  takes: z.object({ params: z.object({ name: z.enum(shopTextNames) }) }),
  notFoundDetail: "The shop has no such text.",
  answers: { 200: shopTextSchema },
} satisfies Operation;

export function shopTextRoute(app: FastifyInstance, settings: ShopSettingsReader): void {
  route(app, get(paths.shopText), showShopText, async ({ params: { name } }, reply) => {
    reply.header("Cache-Control", "no-cache");
    const text = settings.current()[name];
    return text === null || isWebAddress(text) ? undefined : { text };
  });
}
