import { appendFileSync, readFileSync } from "node:fs";

/** Tests that were not run because this machine lacks a requirement. */
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

/** The file to which each run within `npm test` appends its outcome. Other runs do not set it. */
export const OUTCOME_FILE = "KEEPSATS_OUTCOME_FILE";

/** Adds the outcome of a run to the file in {@link OUTCOME_FILE}. */
export function recordOutcome(outcome: Outcome): void {
  const file = process.env[OUTCOME_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

export function readOutcomes(file: string): readonly Outcome[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Groups tests that were not run by suite, and counts them. */
export function countNotRun(tests: Iterable<Omit<NotRun, "tests">>): readonly NotRun[] {
  const counted = new Map<string, NotRun>();
  for (const { needs, name } of tests) {
    const key = `${needs}\n${name}`;
    counted.set(key, { needs, name, tests: (counted.get(key)?.tests ?? 0) + 1 });
  }
  return [...counted.values()];
}

/**
 * Whether tests were not run for lack of a program that can be installed, and not because of the
 * user or the system.
 */
export function lacksPrograms(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ notRun }) => notRun.some(({ needs }) => needs.includes("apt install ")));
}

/**
 * The last lines of `npm test`: suites that were not run, grouped by requirement, and the counts.
 */
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
