import { requireNode } from "./require-node.ts";
import { quickSteps, runSteps } from "./steps.ts";

requireNode();
runSteps(quickSteps);
