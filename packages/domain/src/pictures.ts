/** A picture that the shop stores, in one of its widths. */
export interface UploadedPicture {
  readonly id: string;
  /** In pixels. */
  readonly width: number;
}

/** Parses the path of a stored picture; `undefined` for any other URL. */
export function uploadedPictureOf(url: string): UploadedPicture | undefined {
  const [, id, width] = /^\/pictures\/([\da-f]{32})-([1-9]\d{0,4})$/.exec(url) ?? [];
  return id ? { id, width: Number(width) } : undefined;
}

export function uploadedPictureUrl({ id, width }: UploadedPicture): string {
  return `/pictures/${id}-${width}`;
}

/**
 * The widths in which the shop serves a picture that is `width` pixels wide, ascending.
 */
export function pictureWidths(width: number): number[] {
  return [...[400, 800].filter((smaller) => smaller < width), width];
}

/**
 * The `srcset` of a picture; `undefined` if it is not a stored one.
 *
 * @param url its largest size, as an item has it
 */
export function srcSetOf(url: string): string | undefined {
  const picture = uploadedPictureOf(url);
  if (picture === undefined) return undefined;
  return pictureWidths(picture.width)
    .map((width) => `${uploadedPictureUrl({ ...picture, width })} ${width}w`)
    .join();
}

/** The attribute `sizes` of the picture on an item's card. */
export const cardPictureSizes =
  "(min-width:84rem)27rem,(min-width:64rem)24rem,(min-width:40rem)47vw,100vw";

/** The attribute `sizes` of the large picture in an item's dialog. */
export const dialogPictureSizes = "(min-width:40rem)28rem,100vw";

/** The attribute `sizes` of the small picture beside a line of the cart. */
export const thumbnailSizes = "3.5rem";
