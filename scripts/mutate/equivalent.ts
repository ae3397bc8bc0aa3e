import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutants.ts";

/**
 * A mutant that behaves like the original, and why. It has no line number, so that it is found
 * after other changes.
 */
interface Equivalent extends Pick<Mutant, "file" | "text" | "original" | "replacement"> {
  /** 0 where it is left out. */
  readonly repetition?: number;
  readonly reason: string;
}

const entries: readonly Equivalent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "equivalent.json"), "utf8"),
);

function isOf(
  { file, text, original, replacement, repetition = 0 }: Equivalent,
  mutant: Mutant,
): boolean {
  return (
    mutant.file === file &&
    mutant.text === text &&
    mutant.original === original &&
    mutant.replacement === replacement &&
    mutant.repetition === repetition
  );
}

/**
 * Removes the known equivalent mutants.
 *
 * @throws if an entry is not among the mutants, because its source has changed
 */
export function withoutEquivalents(mutants: readonly Mutant[]): Mutant[] {
  const stale = entries.filter((entry) => !mutants.some((mutant) => isOf(entry, mutant)));
  if (stale.length > 0) {
    const list = stale.map(({ file, text, replacement }) => `${file}: ${text} → ${replacement}`);
    throw new Error(`equivalent.json has entries that match no mutant:\n${list.join("\n")}`);
  }
  return mutants.filter((mutant) => !entries.some((entry) => isOf(entry, mutant)));
}
