import { fieldText, forEachField, isContact } from "@keepsats/domain";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { pictureAddressSchema } from "./pictures.ts";
import { lines, printable } from "./texts.ts";

/** The maximum length of a text of the footer. */
const MAX_TEXT = 20_000;

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

const shopText = z.nullable(lines(MAX_TEXT));

/**
 * The settings of the shop, which staff change in the admin. `null` stands for none.
 *
 * - `contact`: an email address or the URL of a page
 * - `tagline`: the line below the heading of the shop page
 * - `delivery`, `returns`, `terms`, `privacy`: a text with line breaks, or the URL of a page
 * - `logo`: a picture, like an item's `image_url`
 * - `accent`: the colour of the buttons that move the purchase forward, such as `#f7931a`
 * - `greeting`, `signature`: the beginning and the end of each email to a customer
 * - `sign_in_emails`: whether staff can have a sign-in link emailed
 *
 * All of them are plain text: HTML in them is shown as it is written.
 */
export const shopSettingsSchema = z.object({
  name: printable(60),
  contact: z.nullable(contactSchema),
  tagline: z.nullable(printable(200)),
  delivery: shopText,
  returns: shopText,
  terms: shopText,
  privacy: shopText,
  logo: z.nullable(pictureAddressSchema),
  accent: accentSchema,
  greeting: z.nullable(printable(200)),
  signature: z.nullable(lines(1_000)),
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
  /** In milliseconds once decoded. */
  changed_at: z.optional(secondsAsMilliseconds),
});

/**
 * The optional request header of a change of the settings: the `version` as last read. It is not
 * `If-Match`, because proxies that compress an answer change its `ETag`.
 */
export const expectedVersionHeader = "expected-version";

/** The settings of the shop. Each change sets a new `version`. */
export const shopSettingsAnswerSchema = z.object({
  version: z.string().check(z.minLength(1), z.maxLength(100)),
  settings: z.object(forEachField(shopSettingNames, () => settingStateSchema)),
});
export type ShopSettingsAnswer = z.output<typeof shopSettingsAnswerSchema>;
