import { pictureWidths, uploadedPictureOf } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import { findPictureFile, findTitlesAndPictures } from "../catalogue/index.ts";

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

/** How many items of an order have a picture: the first ones. */
const MAX_ITEMS = 8;
/** The maximum size of one picture, in bytes. A larger one is left out. */
const MAX_BYTES = 80_000;

/**
 * Reads the logo and the pictures of an email's items. Only uploaded pictures are attached, in
 * their smallest size: mail programs show no SVG, and a picture on another site would tell that
 * site who reads the email. Never rejects: an email is sent
 * without pictures that are missing or cannot be read.
 *
 * @param logo the address of the logo; `null` without one
 * @param messageId makes the content ids unique
 */
export async function readEmailPictures(
  db: Queries,
  logo: string | null,
  itemIds: readonly string[],
  messageId: string,
): Promise<EmailPictures> {
  async function attach(name: string, url: string | null): Promise<Attachment | undefined> {
    const picture = uploadedPictureOf(url ?? "");
    if (picture === undefined) return undefined;
    const smallest = Math.min(...pictureWidths(picture.width));
    const content = await findPictureFile(db, picture.id, { width: smallest, format: "jpeg" });
    if (content === undefined || content.length > MAX_BYTES) return undefined;
    return {
      cid: `${name}.${messageId}`,
      filename: `${name}.jpg`,
      content,
      contentType: "image/jpeg",
      contentDisposition: "inline",
    };
  }

  const ids = itemIds.slice(0, MAX_ITEMS);
  const items = new Map<string, Attachment>();
  try {
    const pictured = await findTitlesAndPictures(db, ids);
    for (const [index, id] of ids.entries()) {
      const picture = await attach(`item-${index + 1}`, pictured.get(id)?.image_url ?? null);
      if (picture !== undefined) items.set(id, picture);
    }
    return { logo: await attach("logo", logo), items };
  } catch {
    return { items: new Map() };
  }
}
