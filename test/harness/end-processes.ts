import { afterAll } from "vitest";
import { endAll } from "./server-process.ts";

// Registered for every test file; runs after its other hooks.
afterAll(endAll);
