import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plantedBugs } from "../simulation/planted-bugs.ts";
import { testPrograms } from "./test-programs.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const workflow = read(".github/workflows/ci.yml");

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
  const { node } = parse(workflow).jobs.test.strategy.matrix;
  expect(node.map(String)).toEqual([oldest, ...brought]);
});

test.each(
  plantedBugs.flatMap(({ name, edits }) => edits.map(({ file, find }) => ({ name, file, find }))),
)("the bug '$name' of the simulation is planted at one place of $file", ({ file, find }) => {
  expect(read(file).split(find)).toHaveLength(2);
});
