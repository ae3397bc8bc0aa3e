import "./require-node.mjs";
import { quickSteps, runSteps } from "./steps.ts";

runSteps(quickSteps);
