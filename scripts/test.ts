import { requireChromium } from "./find-chromium.ts";
import { requireServers } from "./find-servers.ts";
import { requireNode } from "./require-node.ts";
import { quickSteps, runSteps } from "./steps.ts";

requireNode();
try {
  await requireChromium();
  requireServers();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
runSteps([
  ...quickSteps,
  { name: "Audit of dependencies", command: "node", args: ["scripts/audit.ts"] },
  { name: "Build", command: "node", args: ["scripts/build.ts"] },
  { name: "Integration tests", command: "vitest", args: ["run", "--project", "integration"] },
  { name: "Fuzz tests", command: "vitest", args: ["run", "--project", "fuzz"] },
  { name: "Fault tests, short form", command: "vitest", args: ["run", "--project", "faults"] },
  { name: "Browser tests", command: "playwright", args: ["test"] },
]);
console.log("\nEverything passed.");
