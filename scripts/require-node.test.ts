import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Runs a program with a pretended Node version. */
function runWith(version: string, program: string) {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  return spawnSync(process.execPath, ["--import", `data:text/javascript,${pretend}`, program], {
    cwd: root,
    encoding: "utf8",
  });
}

test.each([
  "apps/server/src/main.mjs",
  "apps/cli/src/main.ts",
  "scripts/start.ts",
  "scripts/dev.ts",
  "scripts/check.ts",
  "scripts/test.ts",
  "scripts/test-long.ts",
  "bench/main.ts",
])("%s says in one line that Node is too old", (program) => {
  const { status, stdout, stderr } = runWith("22.18.0", program);
  expect(stderr).toBe(
    'Keepsats needs Node 24 or newer; this is 22.18.0. "npm ci" installs one. Start programs with "npm run …".\n',
  );
  expect([status, stdout]).toEqual([1, ""]);
});

test.each(["24.0.0", "26.10.0"])("Node %s is new enough", (version) => {
  const { status, stderr } = runWith(version, "scripts/require-node.mjs");
  expect([status, stderr]).toEqual([0, ""]);
});
