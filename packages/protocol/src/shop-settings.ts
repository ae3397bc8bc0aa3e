import { fieldText, isContact, isTimeZone, mapFields, timeZones } from "@keepsats/domain";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { pictureAddressSchema } from "./pictures.ts";
import { multiLine, singleLine } from "./texts.ts";

/** The maximum length of a text of the footer. */
const MAX_TEXT = 20_000;
/** The intro is in every page, so it is shorter. */
const MAX_INTRO = 2_000;

const contactSchema = z.string().check(
  z.overwrite(fieldText),
  z.maxLength(2_000),
  z.refine(isContact, {
    error: "must be an email address, or the address of a page such as https://shop.example/help",
  }),
);

const accentSchema = z
  .string()
  .check(
    z.toLowerCase(),
    z.regex(/^#[\da-f]{6}$/, { error: "must be a colour such as #f7931a" }),
    z.meta({ pattern: "^#[\\dA-Fa-f]{6}$" }),
  );

/** The text of a whole number from 0 to `max`. */
function wholeNumber(max: number, example: string) {
  const pattern = `^(0|[1-9]\\d{0,${String(max).length - 1}})$`;
  return z.string().check(
    z.refine((text) => new RegExp(pattern).test(text) && Number(text) <= max, {
      error: `must be a whole number from 0 to ${max}`,
    }),
    z.meta({ pattern, examples: [example] }),
  );
}

const vatRateSchema = z.string().check(
  z.regex(/^(?!0+(\.0+)?$)(100(\.00?)?|\d{1,2}(\.\d{1,2})?)$/, {
    error: "must be a percentage above 0, at most 100, with at most two decimals, such as 7.5",
  }),
  z.meta({ examples: ["19", "7.5"] }),
);

const notATimeZone = "must be the name of a time zone, such as Europe/Berlin";

/** The name with its usual capitals. */
const timeZoneSchema = z.string().check(
  z.maxLength(50, { error: notATimeZone, abort: true }),
  z.overwrite((typed) => {
    const text = fieldText(typed);
    return timeZones().find((name) => name.toLowerCase() === text.toLowerCase()) ?? text;
  }),
  z.refine(isTimeZone, { error: notATimeZone }),
  z.meta({ examples: ["Europe/Berlin"] }),
);

const shopText = z.nullable(multiLine(MAX_TEXT));

/**
 * The settings of the shop, which staff change in the admin. `null` stands for none.
 *
 * - `contact`: an email address or the URL of a page
 * - `tagline`: the line below the heading of the shop page
 * - `intro`: the text above the items; an empty line separates paragraphs
 * - `delivery`, `returns`, `terms`, `privacy`: a text with line breaks, or the URL of a page
 * - `logo`: a picture, like an item's `image_url`
 * - `accent`: the colour of the buttons that move the purchase forward, such as `#f7931a`
 * - `greeting`, `signature`: the beginning and the end of each email to a customer
 * - `order_number_start`: the number before the first order number; it cannot change once there are
 *   orders
 * - `return_days`: for how many days after delivery customers can request a return; `0` for never
 * - `seller_name`, `seller_address`, `tax_number`: the seller on receipts and packing slips; the
 *   shop's name by default
 * - `vat_rate`: the rate of items without one of their own, in percent; with `null` receipts state no
 *   tax
 * - `time_zone`: the time zone of days and months, by its name in the IANA database
 * - `sign_in_emails`: whether staff can have a sign-in link emailed
 *
 * All of them are plain text: HTML in them is shown as it is written.
 */
export const shopSettingsSchema = z.object({
  name: singleLine(60),
  contact: z.nullable(contactSchema),
  tagline: z.nullable(singleLine(200)),
  intro: z.nullable(multiLine(MAX_INTRO)),
  delivery: shopText,
  returns: shopText,
  terms: shopText,
  privacy: shopText,
  logo: z.nullable(pictureAddressSchema),
  accent: accentSchema,
  greeting: z.nullable(singleLine(200)),
  signature: z.nullable(multiLine(1_000)),
  order_number_start: wholeNumber(1_000_000_000, "10000"),
  return_days: wholeNumber(365, "30"),
  seller_name: z.nullable(singleLine(200)),
  seller_address: z.nullable(multiLine(500)),
  tax_number: z.nullable(singleLine(100)),
  vat_rate: z.nullable(vatRateSchema),
  time_zone: timeZoneSchema,
  sign_in_emails: z.enum(["on", "off"], { error: 'must be "on" or "off"' }),
});
export type ShopSettings = Readonly<z.output<typeof shopSettingsSchema>>;
export type ShopSettingName = keyof ShopSettings;
export const shopSettingNames = z.keyof(shopSettingsSchema).options;

/** The settings to change. */
export const shopSettingsPatchSchema = z.partial(z.strictObject(shopSettingsSchema.shape));
export type ShopSettingsPatch = z.output<typeof shopSettingsPatchSchema>;

const settingStateSchema = z.object({
  value: z.nullable(z.string()),
  /** Absent while it has its first value. */
  changed_by: z.optional(z.string()),
  changed_at: z.optional(secondsAsMilliseconds),
});

/**
 * The optional request header of a change of the settings: the `version` as last read. It is not
 * `If-Match`, because proxies that compress an answer change its `ETag`.
 */
export const expectedVersionHeader = "expected-version";

/** Servers before 1.1.0 do not send them. */
const laterSettingNames = [
  "intro",
  "order_number_start",
  "return_days",
  "seller_name",
  "seller_address",
  "tax_number",
  "vat_rate",
  "time_zone",
] as const satisfies readonly ShopSettingName[];

/** The settings of the shop. Each change sets a new `version`. */
export const shopSettingsAnswerSchema = z.object({
  version: z.string().check(z.minLength(1), z.maxLength(100)),
  settings: z.extend(
    z.object(mapFields(shopSettingNames, () => settingStateSchema)),
    mapFields(laterSettingNames, () => z.optional(settingStateSchema)),
  ),
});
export type ShopSettingsAnswer = z.output<typeof shopSettingsAnswerSchema>;
