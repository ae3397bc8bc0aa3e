import { parseArgs } from "node:util";
import { planDays } from "./plan.ts";
import { simulate } from "./run.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string", default: "1" },
    quiet: { type: "boolean", default: false },
  },
});
const real = performance.now.bind(performance);
const t = real();
const outcome = await simulate(Number(values.seed), planDays(Number(values.seed), Number(values.days)));
if (!values.quiet) console.log(outcome.lines.join("\n"));
console.log(outcome.failure, outcome.steps, outcome.hash, Math.round(real() - t));
