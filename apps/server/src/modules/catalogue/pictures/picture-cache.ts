import type { Queries } from "../../../platform/database/database.ts";
import { findPictureFile } from "./picture-repository.ts";
import type { Format } from "./renditions.ts";

const MAX_CACHE_BYTES = 16 * 1024 * 1024;

export type ReadPictureFile = (
  id: string,
  width: number,
  format: Format,
) => Promise<Buffer | undefined>;

/** Caches the most recently used files in memory. A file never changes: its id is a hash. */
export function createReadPictureFile(
  db: Queries,
  maxBytes: number = MAX_CACHE_BYTES,
): ReadPictureFile {
  const recent = new Map<string, Buffer>();
  let bytes = 0;

  function keep(name: string, content: Buffer): void {
    if (recent.has(name) || content.length > maxBytes) return;
    recent.set(name, content);
    bytes += content.length;
    for (const [oldest, { length }] of recent) {
      if (bytes <= maxBytes) return;
      recent.delete(oldest);
      bytes -= length;
    }
  }

  return async (id, width, format) => {
    const name = `${id}-${width}.${format}`;
    const known = recent.get(name);
    if (known !== undefined) {
      recent.delete(name);
      recent.set(name, known);
      return known;
    }
    const content = await findPictureFile(db, id, { width, format });
    if (content !== undefined) keep(name, content);
    return content;
  };
}
