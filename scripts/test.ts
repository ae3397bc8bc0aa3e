import "./require-node.mjs";
import { requireTestBrowser } from "./find-chromium.ts";
import { requireServers } from "./find-servers.ts";
import { requireTools } from "./require-tools.ts";
import { quickSteps, runSteps } from "./steps.ts";

await requireTools(requireTestBrowser, requireServers);
runSteps([
  ...quickSteps,
  { name: "Audit of dependencies", command: "node", args: ["scripts/audit.ts"] },
  { name: "Build", command: "node", args: ["scripts/build.ts"] },
  // One run: while tests of one kind wait for the shop, those of another have the processor.
  {
    name: "Integration, fuzz and fault tests, and the simulation in its short form",
    command: "vitest",
    args: ["run", ...["integration", "fuzz", "faults", "simulation"].flatMap((name) => ["--project", name])],
  },
  { name: "Browser tests", command: "playwright", args: ["test"] },
]);
console.log("\nEverything passed.");
