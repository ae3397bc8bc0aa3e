import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlantedBug } from "./planted.ts";

const root = join(import.meta.dirname, "..");

/**
 * Puts a bug into the files of the shop as this process loads them; the files themselves stay as they are. It comes before
 * the shop is imported.
 *
 * @throws where a text that is to be replaced does not stand in its file exactly once
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
