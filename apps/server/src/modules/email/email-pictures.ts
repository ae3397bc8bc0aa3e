import { pictureWidths, uploadedPictureOf } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import { findTitlesAndPictures, type ReadPictureFile } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";

/** A picture in an email, which its HTML names by its content id. */
export interface Attachment {
  /** The content id, without angle brackets. */
  readonly cid: string;
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: "image/jpeg";
  readonly contentDisposition: "inline";
}

export interface EmailPictures {
  readonly logo?: Attachment | undefined;
  /** By item id. */
  readonly items: ReadonlyMap<string, Attachment>;
}

export const noPictures: EmailPictures = { items: new Map() };

/** How many items of an order have a picture: the first ones. */
const MAX_ITEMS = 8;
/** The maximum size of one picture, in bytes. A larger one is left out. */
const MAX_BYTES = 80_000;

/**
 * Reads the logo and the pictures of an email's items. Only uploaded pictures are attached, in
 * their smallest size: mail programs show no SVG, and a picture on another site would tell that
 * site who reads the email. Never rejects: an email is sent without a picture that is missing.
 *
 * @param messageId makes the content ids unique
 */
export type ReadEmailPictures = (
  itemIds: readonly string[],
  messageId: string,
) => Promise<EmailPictures>;

interface Dependencies {
  readonly db: Queries;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly readPicture: ReadPictureFile;
}

export function createReadEmailPictures({
  db,
  shopSettings,
  readPicture,
}: Dependencies): ReadEmailPictures {
  async function attach(
    name: string,
    url: string | null | undefined,
    messageId: string,
  ): Promise<Attachment | undefined> {
    const picture = uploadedPictureOf(url ?? "");
    if (picture === undefined) return undefined;
    const smallest = Math.min(...pictureWidths(picture.width));
    const content = await readPicture(picture.id, smallest, "jpeg");
    if (content === undefined || content.length > MAX_BYTES) return undefined;
    return {
      cid: `${name}.${messageId}`,
      filename: `${name}.jpg`,
      content,
      contentType: "image/jpeg",
      contentDisposition: "inline",
    };
  }

  async function readAll(itemIds: readonly string[], messageId: string): Promise<EmailPictures> {
    const logo = await attach("logo", shopSettings.current().logo, messageId);
    const ids = itemIds.slice(0, MAX_ITEMS);
    const pictured = await findTitlesAndPictures(db, ids);
    const items = new Map<string, Attachment>();
    for (const [index, id] of ids.entries()) {
      const picture = await attach(`item-${index + 1}`, pictured.get(id)?.image_url, messageId);
      if (picture !== undefined) items.set(id, picture);
    }
    return { logo, items };
  }

  return (itemIds, messageId) => readAll(itemIds, messageId).catch(() => noPictures);
}
