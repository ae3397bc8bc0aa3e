import "./require-node.mjs";
import { requirePrograms } from "./programs.ts";
import { runSteps } from "./steps.ts";
import { requireTestPrograms } from "./test-programs.ts";

// The long tests: `npm run test:faults`, `test:fuzz`, `test:money` and `test:engines`. Further
// arguments go to Vitest or Playwright, which refuse those that they do not know.
const [suite = "", ...more] = process.argv.slice(2);
if (suite === "engines") {
  await requirePrograms(() => requireTestPrograms("firefox"));
  runSteps([
    { name: "Build", command: "node", args: ["scripts/build.ts"] },
    { name: "Firefox", command: "playwright", args: ["test", "--project=firefox-more", ...more] },
  ]);
} else {
  await requirePrograms(requireTestPrograms);
  process.env.TEST_LENGTH = "full";
  const args = ["run", `--project=${suite}`, ...more];
  runSteps([{ name: `${suite} tests, long form`, command: "vitest", args }]);
}
