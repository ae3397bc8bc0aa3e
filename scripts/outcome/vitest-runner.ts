import { type RunnerTask, type RunnerTestSuite, TestRunner } from "vitest";
import type { ProgramMissing } from "../test-programs.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The missing requirement of the test or suite and how to install it. */
    needs?: string;
  }
}

const MISSING: ProgramMissing["name"] = "ProgramMissing";

/** Drops follow-up errors too, such as those of `afterAll`. */
function skipIfProgramIsMissing(task: RunnerTask): void {
  const missing = task.result?.errors?.find(({ name }) => name === MISSING);
  if (missing === undefined) return;
  task.meta.needs = String(missing.howToInstall);
  task.mode = "skip";
  task.result = { state: "skip" };
}

/** Skips tests whose program is missing, instead of failing. In CI `npm test` requires all programs. */
export default class extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    skipIfProgramIsMissing(suite);
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test);
    skipIfProgramIsMissing(test);
  }
}
