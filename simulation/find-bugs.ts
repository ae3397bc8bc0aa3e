import { spawn } from "node:child_process";
import { once } from "node:events";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { PlantedBug } from "./planted-bugs.ts";

const root = join(import.meta.dirname, "..");

/**
 * Applies the edits of a bug to the shop's modules when this process loads them; the files stay
 * unchanged. Call it before the shop is imported.
 *
 * @throws if a text to replace does not occur exactly once in its file
 */
export function plantBug({ name, edits }: PlantedBug): void {
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

/** A bug must be found within this number of seeds. */
const MAX_SEEDS = 80;

/** Runs the command in a separate process, because it replaces the timers of its process. */
export async function runMain(
  ...args: readonly string[]
): Promise<{ readonly output: string; readonly code: unknown }> {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { output, code };
}

/**
 * Runs seeds with this bug until one breaks an invariant.
 *
 * @returns `by`: the seed, the step and the broken invariant; `isFound`: whether the bug breaks it
 */
export async function findBug({
  name,
  invariants,
}: PlantedBug): Promise<{ readonly by: string; readonly isFound: boolean }> {
  const { output } = await runMain("--seeds", `1-${MAX_SEEDS}`, "--bug", name);
  const [by = "no seed has found it", invariant = ""] =
    /^seed \d+, step \d+: ([\w-]+)/m.exec(output) ?? [];
  return { by, isFound: invariants.includes(invariant) };
}
