import "./require-node.mjs";
import { requireServers } from "./find-servers.ts";
import { requireTools } from "./require-tools.ts";
import { runSteps } from "./steps.ts";

await requireTools(() => requireServers("firefox"));
runSteps([
  { name: "Build", command: "node", args: ["scripts/build.ts"] },
  { name: "Firefox", command: "playwright", args: ["test", "--project", "firefox-more"] },
]);
