import { relative } from "node:path";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import { countNotRun, type NotRun, recordOutcome } from "./outcome.ts";

export default class OutcomeReporter implements Reporter {
  #passed = 0;
  #notRun: Omit<NotRun, "tests">[] = [];

  onTestEnd({ location, title }: TestCase, { status, annotations }: TestResult): void {
    if (status === "passed") this.#passed += 1;
    if (status !== "skipped") return;
    const needs = annotations.find(({ type }) => type === "skip")?.description;
    if (needs !== undefined)
      this.#notRun.push({ needs, name: `${relative(process.cwd(), location.file)} > ${title}` });
  }

  onEnd(): void {
    recordOutcome({ passed: this.#passed, notRun: countNotRun(this.#notRun) });
  }
}
