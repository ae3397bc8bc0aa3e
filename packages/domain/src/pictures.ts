/** A picture that the shop keeps, in one of its widths. */
export interface KeptPicture {
  readonly id: string;
  /** In pixels. */
  readonly width: number;
}

/** Takes the address of a picture that the shop keeps apart; `undefined` for any other address. */
export function keptPictureOf(url: string): KeptPicture | undefined {
  const [, id, width] = /^\/pictures\/([\da-f]{32})-([1-9]\d{0,4})$/.exec(url) ?? [];
  return id ? { id, width: Number(width) } : undefined;
}

/** The address of a picture that the shop keeps, in one of its widths. */
export function keptPictureUrl({ id, width }: KeptPicture): string {
  return `/pictures/${id}-${width}`;
}

/**
 * The widths in which the shop serves a picture whose largest size is `width` pixels wide, rising.
 */
export function pictureWidths(width: number): number[] {
  return [...[400, 800].filter((smaller) => smaller < width), width];
}

/**
 * The `srcset` of a picture; `undefined` if the shop does not keep it.
 *
 * @param url its address in the largest size, as an item has it
 */
export function srcSetOf(url: string): string | undefined {
  const [, start, width] = /^(\/pictures\/[\da-f]{32}-)(\d+)$/.exec(url) ?? [];
  return (
    width &&
    pictureWidths(+width)
      .map((one) => `${start}${one} ${one}w`)
      .join()
  );
}

/** How wide the picture of an item's card is on the shop page, as the attribute `sizes` says it. */
export const cardPictureSizes = "(min-width:64rem)22rem,(min-width:40rem)47vw,100vw";

/** The same for the large picture of an item's dialog. */
export const dialogPictureSizes = "(min-width:40rem)28rem,100vw";

/** The same for the small picture beside a line of the cart. */
export const thumbnailSizes = "3.5rem";
