// Runs the server from its source, for "npm run dev". Plain JavaScript, like
// apps/server/src/main.mjs and for the same reason.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache();
const { run } = await import("../apps/server/src/server.ts");
await run(join(import.meta.dirname, ".."), "development");
