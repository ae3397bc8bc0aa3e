import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutants.ts";

/** A mutant that behaves as the original does, and why. It has no line number, so that it is found after other changes. */
interface Equivalent extends Pick<Mutant, "file" | "text" | "original" | "replacement"> {
  /** 0 where it is left out. */
  readonly repetition?: number;
  readonly reason: string;
}

const entries: readonly Equivalent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "equivalent.json"), "utf8"),
);

function isOf({ file, text, original, replacement, repetition = 0 }: Equivalent, mutant: Mutant): boolean {
  return (
    mutant.file === file &&
    mutant.text === text &&
    mutant.original === original &&
    mutant.replacement === replacement &&
    mutant.repetition === repetition
  );
}

/** Leaves out what is known to be equivalent. @throws where an entry is not one of these mutants: its source has changed */
export function withoutEquivalents(mutants: readonly Mutant[]): Mutant[] {
  const stale = entries.filter((entry) => !mutants.some((mutant) => isOf(entry, mutant)));
  if (stale.length > 0) {
    const list = stale.map(({ file, text, replacement }) => `${file}: ${text} → ${replacement}`);
    throw new Error(`equivalent.json has entries that match no mutant:\n${list.join("\n")}`);
  }
  return mutants.filter((mutant) => !entries.some((entry) => isOf(entry, mutant)));
}
