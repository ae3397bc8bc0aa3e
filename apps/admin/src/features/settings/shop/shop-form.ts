import { call } from "@keepsats/client";
import { formatOrderNumber, mapFields, ORDER_NUMBER_START } from "@keepsats/domain";
import {
  expectedVersionHeader,
  paths,
  type ShopSettingName,
  type ShopSettingsAnswer,
  type ShopSettingsPatch,
  shopSettingNames,
  shopSettingsAnswerSchema,
  shopSettingsSchema,
} from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import * as z from "zod/mini";
import { apiQuery } from "../../../lib/api.ts";
import { withoutPercentSign } from "../../../lib/format.ts";
import type { Form } from "../../../lib/forms/form.ts";
import { emptyAs } from "../../../lib/forms/form-schema.ts";
import { useStoredForm } from "../../../lib/forms/stored-form.ts";

export const shopSettingsQuery = apiQuery(paths.admin.settings, shopSettingsAnswerSchema, [
  "settings",
]);

interface SettingTexts {
  readonly label: string;
  readonly hint?: string;
  readonly isLong?: boolean;
}

const FOOTER_HINT = "A text, or the address of a page. Leave empty to hide it in the footer.";

export const settingTexts: Readonly<Record<ShopSettingName, SettingTexts>> = {
  name: { label: "Name" },
  contact: {
    label: "Contact",
    hint: "An email address, or the address of a page such as https://shop.example/help.",
  },
  tagline: {
    label: "Tagline",
    hint: "Shown below the heading of the shop page. Leave empty for none.",
  },
  intro: {
    label: "Intro",
    hint: "Shown above the items. An empty line begins a new paragraph. Leave empty for none.",
    isLong: true,
  },
  logo: {
    label: "Logo",
    hint: "Upload a PNG, JPEG, WebP, AVIF or GIF of up to 12 MB, or enter the address of a picture. Without a logo the shop shows the Keepsats icon beside its name.",
  },
  accent: { label: "Accent", hint: "The colour of the buttons that move a purchase forward." },
  delivery: { label: "Delivery", hint: FOOTER_HINT, isLong: true },
  returns: { label: "Returns", hint: FOOTER_HINT, isLong: true },
  terms: {
    label: "Terms",
    hint: `${FOOTER_HINT} With terms, the checkout says: By ordering you accept the Terms.`,
    isLong: true,
  },
  privacy: { label: "Privacy", hint: FOOTER_HINT, isLong: true },
  greeting: { label: "Greeting", hint: "The first line of each email to a customer." },
  signature: { label: "Signature", hint: "The end of each email to a customer.", isLong: true },
  order_number_start: {
    label: "Start of order numbers",
    hint: `With ${ORDER_NUMBER_START}, the first order is ${formatOrderNumber(ORDER_NUMBER_START + 1)}. It can only change while the shop has no orders.`,
  },
  return_days: {
    label: "Days to request a return",
    hint: "Days after delivery in which customers can request a return. 0 turns requests off.",
  },
  time_zone: {
    label: "Time zone",
    hint: "Times in the admin, and the days and months of Today, Books, filters and exports, follow this zone. Exported times are in UTC.",
  },
  seller_name: { label: "Seller", hint: "Leave empty for the name of the shop." },
  seller_address: { label: "Postal address", isLong: true },
  tax_number: { label: "Tax number" },
  vat_rate: {
    label: "VAT rate in percent",
    hint: "Prices include it. Items can have another rate. Leave empty, and receipts state no VAT.",
  },
  sign_in_emails: {
    label: "Email sign-in links to staff",
    hint: "Staff can request a link on the sign-in page. It works once, within ten minutes. Clear this if mailboxes are shared.",
  },
};

/** Logo, accent, time zone and on/off settings have controls of their own. */
export const fieldGroups = [
  { title: "Shop", names: ["name", "contact", "tagline", "intro", "logo", "accent", "time_zone"] },
  { title: "Footer", names: ["delivery", "returns", "terms", "privacy"] },
  { title: "Orders", names: ["order_number_start", "return_days"] },
  { title: "Seller and tax", names: ["seller_name", "seller_address", "tax_number", "vat_rate"] },
  { title: "Emails to customers", names: ["greeting", "signature"] },
  { title: "Sign-in", names: ["sign_in_emails"] },
] as const satisfies readonly {
  readonly title: string;
  readonly names: readonly ShopSettingName[];
}[];

/** In the order of the screen. */
const shownNames = fieldGroups.flatMap<ShopSettingName>(({ names }) => names);

const { name, accent, order_number_start, return_days, time_zone, sign_in_emails, ...optional } =
  shopSettingsSchema.shape;
const optionalNames = z.keyof(z.object(optional)).options;

export const shopFormSchema = z.object({
  name,
  accent,
  order_number_start,
  return_days,
  time_zone,
  sign_in_emails,
  ...mapFields(optionalNames, (name) => emptyAs(null, optional[name])),
  vat_rate: z.pipe(z.transform(withoutPercentSign), emptyAs(null, optional.vat_rate)),
});
export type ShopValues = z.input<typeof shopFormSchema>;
export type ShopForm = Form<ShopValues>;

export function shopValues({ settings }: Pick<ShopSettingsAnswer, "settings">): ShopValues {
  return {
    ...mapFields(shopSettingNames, (name) => settings[name]?.value ?? ""),
    sign_in_emails: settings.sign_in_emails.value === "on" ? "on" : "off",
  };
}

/** The form of the shop settings. Unsaved input outlives the screen and the session. */
export function useShopForm(record: ShopSettingsAnswer): ShopForm {
  const toasts = useToasts();
  return useStoredForm({
    schema: shopFormSchema,
    labels: mapFields(shownNames, (name) => settingTexts[name].label),
    draftKey: ["settings-draft"],
    record,
    valuesOf: shopValues,
    async write(changes: ShopSettingsPatch, { version }) {
      const answer = await call({
        path: paths.admin.settings,
        method: "PUT",
        headers: { [expectedVersionHeader]: version },
        body: changes,
        answer: shopSettingsAnswerSchema,
      });
      toasts.success("Settings saved", "The change is live in the shop.");
      return answer;
    },
  });
}

const colour = /^#[\da-f]{6}$/i;

/** Whether a text is a colour such as `#f7931a`. */
export function isColour(text: string): boolean {
  return colour.test(text);
}
