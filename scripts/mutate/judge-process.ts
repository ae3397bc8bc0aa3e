import { join } from "node:path";
import { createJudge } from "./judge.ts";
import type { Mutant } from "./mutants.ts";

/** The requests to the process; see `Judge`. */
interface Question {
  readonly mutant: Mutant | undefined;
  readonly tests: readonly string[];
}

/** Runs a judge in a process of its own, which is ended where a mutant never comes to an end. */
const root = join(import.meta.dirname, "../..");
const { POSTGRES_URL = "", TEST_TIMEOUTS = "{}" } = process.env;
const { judge, testTimeouts } = await createJudge(root, POSTGRES_URL, JSON.parse(TEST_TIMEOUTS));
process.on("message", async ({ mutant, tests }: Question) => {
  process.send?.({ failure: await judge(mutant, tests), testTimeouts });
});
process.once("disconnect", () => process.exit());
process.send?.({});
