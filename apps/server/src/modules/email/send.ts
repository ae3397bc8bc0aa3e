import { isEmailAddress, mailtoLink } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import type { AttemptResult } from "../../platform/outbox/channel.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import type { Email } from "./email.ts";
import { readEmailPictures } from "./email-pictures.ts";
import type { MailSettings } from "./mail-settings.ts";
import { renderHtml, renderText } from "./render.ts";
import { emailIsOff, sendEmail } from "./smtp.ts";

interface Dependencies {
  readonly db: Queries;
  readonly mailSettings: Pick<MailSettings, "current">;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
}

interface Envelope {
  /** `undefined` for the shop itself. Other emails have the shop's greeting and signature. */
  readonly to: string | undefined;
  /** The Message-ID without its domain. Mail programs show emails with the same id once. */
  readonly id: string;
  readonly signal: AbortSignal;
}

export type Send = ReturnType<typeof createSend>;

/** Sends emails with the current name, colours and pictures of the shop. */
export function createSend({ db, mailSettings, shopSettings }: Dependencies) {
  return async (email: Email, { to, id, signal }: Envelope): Promise<AttemptResult> => {
    const config = mailSettings.current();
    if (config === undefined) return emailIsOff;
    const { name: shopName, accent, contact, logo, greeting, signature } = shopSettings.current();
    const { address } = config.from;
    const replyTo = contact !== null && isEmailAddress(contact) ? contact : address;
    // Mail filters expect the sender's domain.
    const messageId = `${id}@${address.slice(address.lastIndexOf("@") + 1)}`;
    const pictures = await readEmailPictures(db, logo, itemsIn(email), messageId);
    const words =
      to === undefined
        ? { greeting: "", signature: "" }
        : { greeting: greeting ?? "Hello,", signature: signature ?? "" };
    const look = { shopName, accent, ...words, pictures };
    const message = {
      from: { name: config.from.name ?? shopName, address },
      replyTo,
      to: to ?? replyTo,
      subject: email.subject,
      text: renderText(email, look),
      html: renderHtml(email, look),
      attachments: [
        ...(pictures.logo === undefined ? [] : [pictures.logo]),
        ...pictures.items.values(),
      ],
      messageId,
      headers: {
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        ...(email.isAboutUnpaid === true && unsubscribe(replyTo, email)),
      },
    };
    return sendEmail(config.server, message, signal);
  };
}

function itemsIn({ blocks }: Email): string[] {
  return blocks.flatMap((block) => (block.kind === "items" ? block.items.map(({ id }) => id) : []));
}

/** Lets a recipient who did not place the order report it with the mail program's button. */
function unsubscribe(replyTo: string, { subject }: Email) {
  return {
    "List-Unsubscribe": `<${mailtoLink(replyTo)}?subject=${encodeURIComponent(`Not mine: ${subject}`)}>`,
  };
}
