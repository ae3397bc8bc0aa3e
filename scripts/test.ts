import "./require-node.mjs";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireChromium } from "./find-chromium.ts";
import { lacksPrograms, OUTCOME_FILE, readOutcomes, summarize } from "./outcome/outcome.ts";
import { requirePrograms } from "./programs.ts";
import { quickSteps, runSteps } from "./steps.ts";
import { installTestPrograms, requireTestPrograms } from "./test-programs.ts";

// Otherwise the tests that need a missing program are listed at the end.
const needsAll = process.env.CI === "true" || process.argv.includes("--all");
await requirePrograms(requireChromium, needsAll ? requireTestPrograms : installTestPrograms);
const projects = (...names: string[]) => names.map((name) => `--project=${name}`);
const file = join(tmpdir(), `keepsats-outcomes-${process.pid}`);
process.once("exit", () => rmSync(file, { force: true }));
process.env[OUTCOME_FILE] = file;
runSteps([
  ...quickSteps,
  { name: "Audit of dependencies", command: "node", args: ["scripts/audit.ts"] },
  { name: "Build", command: "node", args: ["scripts/build.ts"] },
  // One run: while tests of one project wait for the shop, those of another use the processor.
  {
    name: "Integration, fuzz and fault tests, money model and simulation in their short form",
    command: "vitest",
    args: ["run", ...projects("integration", "fuzz", "faults", "money", "simulation")],
  },
  {
    name: "Browser tests",
    command: "playwright",
    args: ["test", ...projects("admin", "shop", "firefox", "webkit")],
  },
]);
const outcomes = readOutcomes(file);
console.log(`\n${summarize(outcomes)}`);
// A server can be installed without the other programs of its package.
if (needsAll && lacksPrograms(outcomes)) {
  console.error("\n✗ With CI=true or --all the programs above must be installed.");
  process.exitCode = 1;
}
