import { appendFileSync, readFileSync } from "node:fs";

/** Tests that did not run because this machine lacks a requirement. */
export interface NotRun {
  /** The missing requirement and how to install it. */
  readonly needs: string;
  /** Their file and suite, or the name of a single test. */
  readonly name: string;
  readonly tests: number;
}

/** The result of one run of Vitest or Playwright. */
export interface Outcome {
  readonly passed: number;
  readonly notRun: readonly NotRun[];
}

/** The variable with the file to which each run within `npm test` appends its outcome. */
export const OUTCOME_FILE = "KEEPSATS_OUTCOME_FILE";

export function recordOutcome(outcome: Outcome): void {
  const file = process.env[OUTCOME_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

export function readOutcomes(file: string): readonly Outcome[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Counts the tests of each suite and requirement. */
export function countNotRun(tests: Iterable<Omit<NotRun, "tests">>): readonly NotRun[] {
  const counted = new Map<string, NotRun>();
  for (const { needs, name } of tests) {
    const key = `${needs}\n${name}`;
    counted.set(key, { needs, name, tests: (counted.get(key)?.tests ?? 0) + 1 });
  }
  return [...counted.values()];
}

/** Whether a program was missing that can be installed, in contrast to root or another system. */
export function lacksPrograms(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ notRun }) => notRun.some(({ needs }) => needs.includes("apt install ")));
}

/** The last lines of `npm test`: suites that did not run, grouped by requirement, and the counts. */
export function summarize(outcomes: readonly Outcome[]): string {
  const notRun = outcomes.flatMap((outcome) => outcome.notRun);
  const groups = [...Map.groupBy(notRun, ({ needs }) => needs)].map(([needs, suites]) =>
    [
      `Not run here. Needs ${needs}`,
      ...suites.map(({ name, tests }) => `  ${name} (${tests})`),
      "",
    ].join("\n"),
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const passed = sum(outcomes.map((outcome) => outcome.passed));
  const missing = sum(notRun.map(({ tests }) => tests));
  return [...groups, `${passed} passed, 0 failed, ${missing} not run here`].join("\n");
}
