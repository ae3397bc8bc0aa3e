import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { faultsIn } from "./faults.ts";

/** A module with one small fault: the source text from `start` to `end` is replaced. */
export interface Mutant {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The whole line at which the fault begins, trimmed. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** How many mutants before this one in its file have the same line, original and replacement. */
  readonly repetition: number;
}

/**
 * Every mutant of a module, in the order of its source. @throws where the source cannot be parsed
 */
export function findMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const seen = new Map<string, number>();
  return faultsIn(source, program)
    .toSorted((one, two) => one.start - two.start || one.end - two.end)
    .map((fault) => {
      const lineStart = source.lastIndexOf("\n", fault.start - 1) + 1;
      const text = source.slice(lineStart).split("\n", 1)[0]?.trim() ?? "";
      const original = source.slice(fault.start, fault.end);
      const look = JSON.stringify([text, original, fault.replacement]);
      const repetition = seen.get(look) ?? 0;
      seen.set(look, repetition + 1);
      const line = source.slice(0, fault.start).split("\n").length;
      return { file, line, text, original, repetition, ...fault };
    });
}

export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** The mutants of all files; `root` is the folder of the repository. */
export function mutantsOf(root: string, files: readonly string[]): Mutant[] {
  return files.flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
}

/**
 * Takes a sample that depends only on the seed and on each mutant. So after a change of the source,
 * unaffected mutants stay in the sample.
 */
export function sample(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  const rankOf = ({ file, text, original, replacement, repetition }: Mutant) =>
    createHash("sha256")
      .update(JSON.stringify([seed, file, text, original, replacement, repetition]))
      .digest("hex");
  return mutants
    .map((mutant) => ({ mutant, rank: rankOf(mutant) }))
    .toSorted((one, two) => (one.rank < two.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}
