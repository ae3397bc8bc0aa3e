import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lacksPrograms, OUTCOME_FILE, readOutcomes, summarize } from "./outcome.ts";

const root = mkdtempSync(join(tmpdir(), "keepsats-outcome-"));
afterAll(() => rmSync(root, { recursive: true }));
const script = (name: string) => JSON.stringify(join(import.meta.dirname, "..", name));

/** Runs Vitest on a test file with this project's configuration and no programs installed. */
function runTests(code: string) {
  const folder = mkdtempSync(join(root, "run-"));
  const file = join(folder, "outcomes");
  writeFileSync(
    join(folder, "some.test.ts"),
    `import { needProgram } from ${script("test-programs.ts")};\n${code}`,
  );
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import { OutcomeReporter } from ${script("outcome/vitest-reporter.ts")};
    const runner = ${script("outcome/vitest-runner.ts")};
    export default { test: { globals: true, runner, reporters: ["default", new OutcomeReporter()] } };`,
  );
  const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
  const env = { ...process.env, PATH: folder, [OUTCOME_FILE]: file };
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr, outcomes: readOutcomes(file) };
}

/** A program that is not on the path. */
const missing = `needProgram("redis", "no-such-server")`;
const redis = "Redis: apt install redis-server, or brew install redis";

test("tests and suites whose program is missing are listed as not run, and the others pass", () => {
  const { status, output, outcomes } = runTests(`
    test("without it", () => {});
    test("a single test", () => { ${missing}; });
    describe("a suite", () => {
      let server;
      beforeAll(() => { server = ${missing}; });
      afterAll(() => server.stop());
      test("one", () => {});
      describe("inner", () => { test("two", () => {}); });
    });
    test.skipIf(true)("on Linux only", { meta: { needs: "Linux" } }, () => {});
    test.skipIf(false)("on any Linux", { meta: { needs: "Linux" } }, () => {});
    test.skipIf(true)("does not apply", () => {});
  `);
  expect(output).not.toContain("FAIL");
  expect(status).toBe(0);
  expect(summarize(outcomes)).toBe(`\
Not run here. Needs ${redis}
  some.test.ts (3)

Not run here. Needs Linux
  some.test.ts (1)

2 passed, 0 failed, 4 not run here`);
  expect(lacksPrograms(outcomes)).toBe(true);
});

test("tests of a file whose program is missing are listed, and its failures are still failures", () => {
  const wholly = runTests(
    `beforeAll(() => { ${missing}; }); test("one", () => {}); test("two", () => {});`,
  );
  expect(wholly.status).toBe(0);
  expect(summarize(wholly.outcomes)).toMatch(
    /some\.test\.ts \(2\)\n\n0 passed, .* 2 not run here$/,
  );
  const failed = runTests(
    `test("one", () => { ${missing}; }); test("two", () => { throw new Error(); });`,
  );
  expect(failed.status).toBe(1);
});

test("with every program required, a limit of the machine does not fail the run", () => {
  const skipped = { file: "some.test.ts", state: "skipped" };
  expect(lacksPrograms([{ ...skipped, needs: "Linux with user namespaces" }])).toBe(false);
});
