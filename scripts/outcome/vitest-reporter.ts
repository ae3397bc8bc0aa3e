import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { recordOutcome } from "./outcome.ts";

/** The requirement of a test, or of a suite around it. */
function needsOf(task: TestCase | TestSuite | TestModule): string | undefined {
  return task.meta().needs ?? ("parent" in task ? needsOf(task.parent) : undefined);
}

export class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests())
        recordOutcome({
          file: module.moduleId,
          state: test.result().state,
          needs: needsOf(test),
        });
  }
}
