import { requireServers } from "./find-servers.ts";
import { requireNode } from "./require-node.ts";
import { runSteps } from "./steps.ts";

requireNode();
requireServers();
process.env.FAULTS = "full";
runSteps([{ name: "Fault tests, long form", command: "vitest", args: ["run", "--project", "faults"] }]);
