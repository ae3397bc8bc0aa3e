import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plantedBugs } from "../simulation/planted-bugs.ts";
import { testPrograms } from "./test-programs.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const workflow = read(".github/workflows/ci.yml");
const { test: job } = parse(workflow).jobs;

test.each(globSync(".github/**/*.yml", { cwd: root }))(
  "%s is YAML without duplicate keys",
  (path) => {
    expect(parse(read(path), { uniqueKeys: true, strict: true })).toEqual(expect.any(Object));
  },
);

test("the public CI runs exactly the checks that a change must pass", () => {
  const commands = job.steps.map(({ run }: { run?: string }) => run).filter(Boolean);
  expect(commands).toEqual([expect.stringMatching(/^sudo apt-get update/), ".ci/run"]);
  expect(job.steps.at(-1).if).toBe("failure()");
});

test("CI installs every program that the tests need, except Firefox, which its machines have", () => {
  for (const { apt } of testPrograms)
    if (apt !== "firefox-esr") expect(workflow).toContain(` ${apt}`);
});

test("it runs on the oldest Node that the README names and on the one that npm ci brings", () => {
  const oldest = /You need Node (\d+) or newer/.exec(read("README.md"))?.[1];
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const brought = new Set(
    Object.values(optionalDependencies).map((version) => String(version).split(".")[0]),
  );
  expect(job.strategy.matrix.node.map(String)).toEqual([oldest, ...brought]);
});

test("its actions are pinned by commit, and it may only read", () => {
  const actions = workflow.match(/uses: .*/g) ?? [];
  expect(actions.length).toBeGreaterThan(1);
  for (const action of actions)
    expect(action).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(parse(workflow).permissions).toEqual({ contents: "read" });
  expect(job["timeout-minutes"]).toBeLessThanOrEqual(90);
});

test("the editor settings have the formatter's line width", () => {
  const { lineWidth } = JSON.parse(read("biome.json")).formatter;
  expect(read(".editorconfig")).toContain(`max_line_length = ${lineWidth}\n`);
  expect(JSON.parse(read(".vscode/settings.json"))["editor.rulers"]).toEqual([lineWidth]);
});

test.each([0, 1])("the git hook runs the quick checks and ends with their exit code %d", (code) => {
  const folder = mkdtempSync(join(tmpdir(), "keepsats-hook-"));
  try {
    const script = `#!/bin/sh\necho "npm $*, git folder \${GIT_DIR:-not set}"\nexit ${code}\n`;
    writeFileSync(join(folder, "npm"), script, { mode: 0o755 });
    const { status, stdout } = spawnSync(join(root, ".githooks/pre-push"), {
      cwd: root,
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, GIT_DIR: join(root, ".git") },
      encoding: "utf8",
    });
    expect(stdout).toBe("npm run check, git folder not set\n");
    expect(status).toBe(code);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(
  plantedBugs.flatMap(({ name, edits }) => edits.map(({ file, find }) => ({ name, file, find }))),
)("the bug '$name' of the simulation is planted at one place of $file", ({ file, find }) => {
  expect(read(file).split(find)).toHaveLength(2);
});
