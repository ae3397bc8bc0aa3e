import * as z from "zod/mini";

/** The width of the largest rendition. Smaller pictures are not enlarged. */
export const LARGEST_WIDTH = 1_600;
/**
 * Increased whenever renditions are made differently. It is part of the pictures' ids, so that no
 * cache serves an earlier rendition.
 */
export const RENDITIONS_VERSION = 1;

/** WebP is served to clients that accept it, and JPEG to all others. */
export const formats = ["webp", "jpeg"] as const;
export type Format = (typeof formats)[number];

const fileSchema = z.object({
  width: z.int().check(z.positive()),
  format: z.enum(formats),
  content: z.instanceof(Uint8Array),
});
/** A rendition: the picture in one size and format. */
export type PictureFile = Readonly<z.output<typeof fileSchema>>;

/**
 * The answer of the picture process: the renditions, with `width` and `height` of the largest one in
 * pixels, or the reason for staff why the picture is refused.
 */
export const preparedSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("prepared"),
    width: z.int().check(z.positive()),
    height: z.int().check(z.positive()),
    files: z.array(fileSchema),
  }),
  z.object({ kind: z.literal("refused"), detail: z.string() }),
]);
export type Prepared = z.output<typeof preparedSchema>;
