import "./require-node.mjs";
import { requirePrograms } from "./programs.ts";
import { runSteps } from "./steps.ts";
import { requireTestPrograms } from "./test-programs.ts";

// The long tests: `npm run test:faults`, `test:fuzz`, `test:money` and `test:engines`.
const [suite = ""] = process.argv.slice(2);
if (suite === "engines") {
  await requirePrograms(() => requireTestPrograms("firefox"));
  runSteps([
    { name: "Build", command: "node", args: ["scripts/build.ts"] },
    { name: "Firefox", command: "playwright", args: ["test", "--project", "firefox-more"] },
  ]);
} else {
  await requirePrograms(requireTestPrograms);
  process.env.TEST_LENGTH = "full";
  runSteps([
    { name: `${suite} tests, long form`, command: "vitest", args: ["run", "--project", suite] },
  ]);
}
