import "./require-node.mjs";
import { requireChromium } from "./find-chromium.ts";
import { requireServers } from "./find-servers.ts";
import { requireTools } from "./require-tools.ts";
import { quickSteps, runSteps } from "./steps.ts";

await requireTools(requireChromium, requireServers);
runSteps([
  ...quickSteps,
  { name: "Audit of dependencies", command: "node", args: ["scripts/audit.ts"] },
  { name: "Build", command: "node", args: ["scripts/build.ts"] },
  { name: "Integration tests", command: "vitest", args: ["run", "--project", "integration"] },
  { name: "Fuzz tests", command: "vitest", args: ["run", "--project", "fuzz"] },
  { name: "Simulation, short form", command: "vitest", args: ["run", "--project", "simulation"] },
  { name: "Fault tests, short form", command: "vitest", args: ["run", "--project", "faults"] },
  { name: "Browser tests", command: "playwright", args: ["test"] },
]);
console.log("\nEverything passed.");
