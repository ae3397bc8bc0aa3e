import { MAX_PICTURE_BYTES, paths, pictureSchema } from "@keepsats/protocol";
import { upload } from "./api.ts";

/** The pictures that a file input offers. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/avif,image/gif";

/**
 * Uploads a picture, which the server resizes.
 *
 * @throws {RangeError} for a file that is too large: the server would close the connection before
 *   the end of the file, so the browser would not see its answer
 */
export async function uploadPicture(file: File) {
  if (file.size > MAX_PICTURE_BYTES)
    throw new RangeError(`A picture may have at most ${MAX_PICTURE_BYTES / 1024 / 1024} MB.`);
  return upload(paths.admin.pictures, "application/octet-stream", file, pictureSchema);
}
