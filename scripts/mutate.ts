import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/harness/postgres.ts";
import { requireServers } from "./find-servers.ts";
import { createCompiler } from "./mutate/compiler.ts";
import { withoutEquivalents } from "./mutate/equivalent.ts";
import { heartFiles, readTests } from "./mutate/heart.ts";
import { createJudging } from "./mutate/judging.ts";
import { type Mutant, mutantsOf, sample } from "./mutate/mutants.ts";
import "./require-node.mjs";
import { requireTools } from "./require-tools.ts";

/** The least share of the mutants that must be noticed. */
const NOTICED = 0.95;

await requireTools(requireServers);
const { values: options } = parseArgs({
  options: {
    /** The size of the sample. */
    sample: { type: "string", default: "100" },
    /** The seed of the sample. */
    seed: { type: "string", default: "1" },
    /** A part of a path, such as `payments/decide`: only mutants of such files. */
    file: { type: "string", default: "" },
    /** Whether only unit tests are run. */
    units: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "..");
const testsOf = readTests(root, options.units);
const mutants = withoutEquivalents(mutantsOf(root, heartFiles(root)));
const chosen = sample(
  mutants.filter(({ file }) => file.includes(options.file)),
  Number(options.sample),
  options.seed,
);

function show({ file, line, original, replacement }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 100);
  return `${file}:${line}\n  - ${short(original)}\n  + ${short(replacement)}`;
}

/** Runs the tests on mutants. @returns the mutants that no test notices */
async function findUnnoticed(): Promise<Mutant[]> {
  const postgres = await startPostgres();
  const judging = createJudging(postgres.url);
  const stop = async () => {
    judging.close();
    await postgres.stop();
  };
  process.once("SIGINT", () => stop().then(() => process.exit(130)));
  const firstFailure = async (
    mutant: Mutant | undefined,
    groups: readonly (readonly string[])[],
  ) => {
    for (const tests of groups) {
      const failure = await judging.judge(mutant, tests);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
  try {
    const all = new Set(chosen.flatMap(({ file }) => testsOf(file).flat()));
    const failure = await firstFailure(
      undefined,
      [...all].map((test) => [test]),
    );
    if (failure !== undefined) throw new Error(`without any fault this fails: ${failure}`);
    const unnoticed: Mutant[] = [];
    for (const [index, mutant] of chosen.entries()) {
      const noticed = await firstFailure(mutant, testsOf(mutant.file));
      console.log(
        `${index + 1} ${noticed === undefined ? "NOT NOTICED" : "noticed"}: ${show(mutant)}`,
      );
      if (noticed === undefined) unnoticed.push(mutant);
      else console.log(`  by ${noticed}`);
    }
    return unnoticed;
  } finally {
    await stop();
  }
}

function withoutRefused(unnoticed: readonly Mutant[]): Mutant[] {
  if (unnoticed.length === 0) return [];
  const compiler = createCompiler(root);
  try {
    return unnoticed.filter((mutant) => !compiler.refuses(mutant));
  } finally {
    compiler.close();
  }
}

console.log(`${chosen.length} of ${mutants.length} possible faults, seed ${options.seed}`);
const unnoticed = await findUnnoticed();
const survivors = withoutRefused(unnoticed);
if (survivors.length > 0) console.log(`\nNot noticed:\n${survivors.map(show).join("\n")}`);
const [refused, noticed] = [unnoticed.length - survivors.length, chosen.length - survivors.length];
console.log(
  `\n${noticed} of ${chosen.length} faults are noticed, ${refused} of them by the type checker alone.`,
);
if (noticed < NOTICED * chosen.length) process.exitCode = 1;
