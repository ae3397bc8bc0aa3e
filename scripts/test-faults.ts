import "./require-node.mjs";
import { requireServers } from "./find-servers.ts";
import { requireTools } from "./require-tools.ts";
import { runSteps } from "./steps.ts";

await requireTools(requireServers);
process.env.FAULTS = "full";
runSteps([
  { name: "Fault tests, long form", command: "vitest", args: ["run", "--project", "faults"] },
]);
