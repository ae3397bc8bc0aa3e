import { isMailAddress } from "@keepsats/domain";
import type { MailConfig } from "../mail-config.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Letter } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import type { Message } from "./smtp.ts";

interface Needs {
  readonly config: MailConfig;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  /** Without angle brackets. */
  readonly messageId: string;
  /**
   * Whether it begins and ends with the shop's greeting and signature, as letters to shoppers do.
   */
  readonly isPersonal: boolean;
}

/**
 * Makes a mail of a letter, in the shop's name and colours of the moment: everything but its
 * recipient.
 */
export function writeMessage(letter: Letter, needs: Needs): Omit<Message, "to"> {
  const { config, shopSettings, messageId, isPersonal } = needs;
  const { name: shopName, accent, contact, greeting, signature } = shopSettings.current();
  const words = isPersonal
    ? { greeting: greeting ?? "Hello,", signature: signature ?? "" }
    : { greeting: "", signature: "" };
  const look = { shopName, accent, ...words };
  return {
    from: { name: config.from.name ?? shopName, address: config.from.address },
    replyTo: contact !== null && isMailAddress(contact) ? contact : config.from.address,
    subject: letter.subject,
    text: renderText(letter, look),
    html: renderHtml(letter, look),
    messageId,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  };
}

/** A Message-ID with the sender's domain, which mail filters expect. */
export function messageIdAt({ from: { address } }: MailConfig, id: string): string {
  return `${id}@${address.slice(address.lastIndexOf("@") + 1)}`;
}
