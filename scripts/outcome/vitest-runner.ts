import { type RunnerTask, type RunnerTestSuite, TestRunner } from "vitest";
import type { ServerMissing } from "../find-servers.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The missing requirement of the test or suite and how to install it. */
    needs?: string;
  }
}

const MISSING: ServerMissing["name"] = "ServerMissing";

/** Drops follow-up errors too, such as those of `afterAll`. */
function skipIfServerIsMissing(task: RunnerTask): void {
  const missing = task.result?.errors?.find(({ name }) => name === MISSING);
  if (missing === undefined) return;
  task.meta.needs = String(missing.howToInstall);
  task.mode = "skip";
  task.result = { state: "skip" };
}

/** Skips tests whose server is missing, instead of failing. In CI `npm test` requires all servers. */
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
