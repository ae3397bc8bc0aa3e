import { join } from "node:path";
import { createJudge } from "./judge.ts";
import type { Mutant } from "./mutants.ts";

/** What the process is asked; see `Judge`. */
export interface Question {
  readonly mutant: Mutant | undefined;
  readonly tests: readonly string[];
}

/** A judge in a process of its own, which can be ended where a mutant never comes to an end. */
const { judge } = await createJudge(join(import.meta.dirname, "../.."), process.env.POSTGRES_URL ?? "");
process.on("message", async ({ mutant, tests }: Question) => {
  process.send?.({ failure: await judge(mutant, tests) });
});
process.once("disconnect", () => process.exit());
process.send?.({});
