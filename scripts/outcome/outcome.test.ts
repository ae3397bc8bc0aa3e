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
const redis =
  "Redis: apt install redis-server, or brew install redis, or set TEST_REDIS_URL to the URL of a running one";

test("tests and suites whose program is missing are reported as not run, and the others pass", () => {
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
    test.skipIf(true)("does not apply", () => {});
  `);
  expect(output).not.toContain("FAIL");
  expect(status).toBe(0);
  expect(outcomes).toEqual([
    {
      passed: 1,
      notRun: [
        { needs: redis, name: "some.test.ts > a single test", tests: 1 },
        { needs: redis, name: "some.test.ts > a suite", tests: 2 },
        { needs: "Linux", name: "some.test.ts > on Linux only", tests: 1 },
      ],
    },
  ]);
});

test("a file whose program is missing is reported as a whole, and its failures are still failures", () => {
  const wholly = runTests(
    `beforeAll(() => { ${missing}; }); test("one", () => {}); test("two", () => {});`,
  );
  expect(wholly).toMatchObject({
    status: 0,
    outcomes: [{ passed: 0, notRun: [{ needs: redis, name: "some.test.ts", tests: 2 }] }],
  });
  const failed = runTests(
    `test("one", () => { ${missing}; }); test("two", () => { throw new Error(); });`,
  );
  expect(failed.status).toBe(1);
});

test("the summary groups tests that were not run by their missing program, and ends with the counts", () => {
  const notRun = [
    { needs: "Redis: apt install redis-server", name: "test/platform/bus.test.ts", tests: 12 },
    { needs: "root", name: "test/backup.test.ts > restores", tests: 1 },
    {
      needs: "Redis: apt install redis-server",
      name: "test/platform/rate-limit.test.ts",
      tests: 3,
    },
  ];
  expect(
    summarize([
      { passed: 20, notRun },
      { passed: 7, notRun: [] },
    ]),
  ).toBe(`\
Not run here. Needs Redis: apt install redis-server
  test/platform/bus.test.ts (12)
  test/platform/rate-limit.test.ts (3)

Not run here. Needs root
  test/backup.test.ts > restores (1)

27 passed, 0 failed, 16 not run here`);
  expect(summarize([{ passed: 20, notRun: [] }])).toBe("20 passed, 0 failed, 0 not run here");
});

test("with every program required, a missing one fails the run, and a limit of the machine does not", () => {
  const { outcomes } = runTests(`test("one", () => { ${missing}; });`);
  expect(lacksPrograms(outcomes)).toBe(true);
  const notRun = ["root", "Linux with user namespaces"].map((needs) => ({
    needs,
    name: "a.test.ts",
    tests: 1,
  }));
  expect(lacksPrograms([{ passed: 1, notRun }])).toBe(false);
});
