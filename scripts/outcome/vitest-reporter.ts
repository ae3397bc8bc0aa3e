import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { countNotRun, type NotRun, recordOutcome } from "./outcome.ts";

/** The test, or its enclosing suite, whose requirement this machine lacks. */
function lackOf(test: TestCase): Omit<NotRun, "tests"> | undefined {
  const file = relative(process.cwd(), test.module.moduleId);
  for (let at: TestCase | TestSuite | TestModule = test; ; at = at.parent) {
    const { needs } = at.meta();
    if (needs !== undefined)
      return { needs, name: at.type === "module" ? file : `${file} > ${at.fullName}` };
    if (at.type === "module") return undefined;
  }
}

export class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const withState = (state: string) => tests.filter((test) => test.result().state === state);
    const notRun = withState("skipped").flatMap((test) => lackOf(test) ?? []);
    recordOutcome({ passed: withState("passed").length, notRun: countNotRun(notRun) });
  }
}
