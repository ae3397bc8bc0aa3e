import type { ShopSettingName } from "@keepsats/protocol";

export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** Whether it is a text of several lines. */
  readonly isLong?: boolean;
}

const text = "A text, or the address of a page. Empty: the footer does not name it.";

/** The fields of the shop settings in words. */
export const fieldWords: Readonly<Record<ShopSettingName, FieldWords>> = {
  name: { label: "Name" },
  contact: {
    label: "Contact",
    hint: "An e-mail address, or the address of a page such as https://shop.example/help.",
  },
  tagline: {
    label: "Tagline",
    hint: "Shown below the heading of the shop page. Leave empty for none.",
  },
  logo: {
    label: "Logo",
    hint: "Upload a PNG, JPEG, WebP, AVIF or GIF of up to 12 MB, or type the address of a picture. Without a logo the shop shows the sign of Keepsats beside its name.",
  },
  accent: { label: "Accent", hint: "The colour of the buttons that move a purchase forward." },
  delivery: { label: "Delivery", hint: text, isLong: true },
  returns: { label: "Returns", hint: text, isLong: true },
  terms: { label: "Terms", hint: text, isLong: true },
  privacy: { label: "Privacy", hint: text, isLong: true },
  greeting: { label: "Greeting", hint: "The first line of each mail to a shopper." },
  signature: { label: "Signature", hint: "The end of each mail to a shopper.", isLong: true },
  sign_in_emails: {
    label: "Email sign-in links to staff",
    hint: "Staff can request a link on the sign-in page. It works once, within ten minutes. Turn this off if mailboxes are shared.",
  },
};

/**
 * The fields in the groups of the screen. Logo, accent and on/off settings have their own controls.
 */
export const fieldGroups = [
  { title: "Shop", names: ["name", "contact", "tagline", "logo", "accent"] },
  { title: "Footer", names: ["delivery", "returns", "terms", "privacy"] },
  { title: "Mails to shoppers", names: ["greeting", "signature"] },
  { title: "Sign-in", names: ["sign_in_emails"] },
] as const satisfies readonly {
  readonly title: string;
  readonly names: readonly ShopSettingName[];
}[];
