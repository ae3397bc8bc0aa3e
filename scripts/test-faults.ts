import { requireServers } from "./find-servers.ts";
import { requireNode, requireTools } from "./require-tools.ts";
import { runSteps } from "./steps.ts";

requireNode();
await requireTools(requireServers);
process.env.FAULTS = "full";
runSteps([{ name: "Fault tests, long form", command: "vitest", args: ["run", "--project", "faults"] }]);
