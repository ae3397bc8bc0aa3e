import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import { recordOutcome } from "./outcome.ts";

export default class OutcomeReporter implements Reporter {
  onTestEnd({ location: { file } }: TestCase, { status, annotations }: TestResult): void {
    const needs = annotations.find(({ type }) => type === "skip")?.description;
    recordOutcome({ file, state: status, needs });
  }
}
