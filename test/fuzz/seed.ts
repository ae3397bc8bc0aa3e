import { execFileSync } from "node:child_process";

/**
 * The seed of all inputs: `FUZZ_SEED`, or else a number made from the present commit. So one commit
 * is tried with the same inputs on every machine, and each later commit with others. Without git
 * the seed is random.
 */
export function fuzzSeed(): number {
  const { FUZZ_SEED } = process.env;
  if (FUZZ_SEED !== undefined) return Number(FUZZ_SEED);
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return Math.floor(Math.random() * 2 ** 31);
  }
}
