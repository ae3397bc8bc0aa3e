import { afterAll } from "vitest";
import { endAll } from "./server-process.ts";

// Of every file with tests, after all else.
afterAll(endAll);
