import { isEmailAddress } from "@keepsats/domain";
import type { MailConfig } from "../../config/mail-config.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import type { Email } from "./email.ts";
import type { Attachment, ReadEmailPictures } from "./email-pictures.ts";
import { renderHtml, renderText } from "./render.ts";

/** An email as it is sent. */
export interface Message {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /** One plain address. A text that could be read as several, or as a header, is refused. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** Without angle brackets. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Options {
  readonly config: MailConfig;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly readPictures: ReadEmailPictures;
  /** Without angle brackets. */
  readonly messageId: string;
  /** Whether the email begins and ends with the shop's greeting and signature. */
  readonly isPersonal: boolean;
}

/** Renders an email with the current name, colours and pictures of the shop. */
export async function writeMessage(
  email: Email,
  { config, shopSettings, readPictures, messageId, isPersonal }: Options,
): Promise<Omit<Message, "to">> {
  const { name: shopName, accent, contact, greeting, signature } = shopSettings.current();
  const words = isPersonal
    ? { greeting: greeting ?? "Hello,", signature: signature ?? "" }
    : { greeting: "", signature: "" };
  const pictures = await readPictures(itemsIn(email), messageId);
  const look = { shopName, accent, ...words, pictures };
  return {
    from: { name: config.from.name ?? shopName, address: config.from.address },
    replyTo: contact !== null && isEmailAddress(contact) ? contact : config.from.address,
    subject: email.subject,
    text: renderText(email, look),
    html: renderHtml(email, look),
    attachments: [
      ...(pictures.logo === undefined ? [] : [pictures.logo]),
      ...pictures.items.values(),
    ],
    messageId,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  };
}

function itemsIn({ blocks }: Email): string[] {
  return blocks.flatMap((block) => (block.kind === "items" ? block.items.map(({ id }) => id) : []));
}

/** A Message-ID with the sender's domain, which mail filters expect. */
export function messageIdAt({ from: { address } }: MailConfig, id: string): string {
  return `${id}@${address.slice(address.lastIndexOf("@") + 1)}`;
}
