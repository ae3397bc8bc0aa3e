import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** How a test of Vitest or Playwright ended. */
interface Outcome {
  readonly file: string;
  readonly state: string;
  /** What the test needs, and how to install it. */
  readonly needs?: string | undefined;
}

/** The variable with the file to which each run within `npm test` appends its outcomes. */
export const OUTCOME_FILE = "KEEPSATS_OUTCOME_FILE";

export function recordOutcome({ file, ...outcome }: Outcome): void {
  const to = process.env[OUTCOME_FILE];
  if (to === undefined) return;
  appendFileSync(to, `${JSON.stringify({ file: relative(process.cwd(), file), ...outcome })}\n`);
}

export function readOutcomes(file: string): readonly Outcome[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The tests that did not run because this machine lacks what they need, by requirement. */
function notRun(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const skipped = outcomes.filter(({ state, needs }) => state === "skipped" && needs !== undefined);
  return Map.groupBy(skipped, ({ needs = "" }) => needs);
}

/** Whether a program was missing that can be installed, in contrast to root or another system. */
export function lacksPrograms(outcomes: readonly Outcome[]): boolean {
  return [...notRun(outcomes).keys()].some((needs) => needs.includes("apt install "));
}

/** The last lines of `npm test`: the files with tests that did not run, and the counts. */
export function summarize(outcomes: readonly Outcome[]): string {
  const lines: string[] = [];
  let missing = 0;
  for (const [needs, tests] of notRun(outcomes)) {
    missing += tests.length;
    lines.push(`Not run here. Needs ${needs}`);
    for (const [file, { length }] of Map.groupBy(tests, (test) => test.file))
      lines.push(`  ${file} (${length})`);
    lines.push("");
  }
  const passed = outcomes.filter(({ state }) => state === "passed").length;
  return [...lines, `${passed} passed, 0 failed, ${missing} not run here`].join("\n");
}
