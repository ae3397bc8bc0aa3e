import { workerData } from "node:worker_threads";
import { showGrowth } from "./progress.ts";

showGrowth(workerData);
