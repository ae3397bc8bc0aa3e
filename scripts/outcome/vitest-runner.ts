import { type RunnerTask, type RunnerTestSuite, TestRunner } from "vitest";
import type { ServerMissing } from "../find-servers.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What this machine lacks for the test or suite, and how it is installed. */
    needs?: string;
  }
}

const MISSING: ServerMissing["name"] = "ServerMissing";

/** Skips a test or suite whose server is missing. Errors that follow from it, such as those of `afterAll`, are dropped. */
function skipIfServerIsMissing(task: RunnerTask): void {
  const missing = task.result?.errors?.find(({ name }) => name === MISSING);
  if (missing === undefined) return;
  task.meta.needs = String(missing.howToInstall);
  task.mode = "skip";
  task.result = { state: "skip" };
}

/** Runs tests as Vitest does, but does not count a missing server as a failure. `npm test` in CI requires all servers. */
export default class extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    skipIfServerIsMissing(suite);
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test);
    skipIfServerIsMissing(test);
  }
}
