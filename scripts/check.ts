import { requireNode } from "./require-tools.ts";
import { quickSteps, runSteps } from "./steps.ts";

requireNode();
runSteps(quickSteps);
