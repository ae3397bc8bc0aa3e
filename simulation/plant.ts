import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlantedBug } from "./planted.ts";

const root = join(import.meta.dirname, "..");

/**
 * Applies the edits of a planted bug to the shop's modules when this process loads them; the files
 * stay unchanged. It must be called before the shop is imported.
 *
 * @throws if a text to replace does not occur exactly once in its file
 */
export function plant({ name, edits }: PlantedBug): void {
  const byUrl = Map.groupBy(edits, ({ file }) => pathToFileURL(join(root, file)).href);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = byUrl.get(url);
      if (here === undefined) return loaded;
      let source = String(loaded.source);
      for (const { file, find, replace } of here) {
        const parts = source.split(find);
        if (parts.length !== 2)
          throw new Error(`"${name}": ${parts.length - 1} places in ${file} have: ${find}`);
        source = parts.join(replace);
      }
      return { ...loaded, source };
    },
  });
}
