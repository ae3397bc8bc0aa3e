import * as z from "zod/mini";

/** The most pixels of a picture that is taken. */
export const MAX_MEGAPIXELS = 50;
/** The most pixels of one side: no format that the shop serves has many more. */
export const MAX_SIDE = 16_000;
/**
 * The most bytes that may be held at once for the whole picture, by formats whose readers cannot go
 * line by line.
 */
export const MAX_BYTES_HELD = 250_000_000;
/** The width of the largest size that the shop serves; smaller pictures are not enlarged. */
export const LARGEST_WIDTH = 1_600;
/**
 * Counted up whenever pictures are made in another way: it is part of their ids, so that no cache
 * has an earlier one.
 */
export const RECIPE = 1;

/** What the shop serves: WebP to whoever accepts it, and JPEG to all others. */
export const formats = ["webp", "jpeg"] as const;
export type Format = (typeof formats)[number];

const fileSchema = z.object({
  width: z.int().check(z.positive()),
  format: z.enum(formats),
  content: z.instanceof(Uint8Array),
});
/** A picture in one size and format. */
export type PictureFile = Readonly<z.output<typeof fileSchema>>;

/**
 * What the process of the pictures answers: the files, with `width` and `height` of the largest
 * size in pixels, or a sentence that says to the merchant why the picture is refused.
 */
export const preparedSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("prepared"),
    width: z.int().check(z.positive()),
    height: z.int().check(z.positive()),
    files: z.array(fileSchema),
  }),
  z.object({ kind: z.literal("refused"), words: z.string() }),
]);
export type Prepared = z.output<typeof preparedSchema>;
