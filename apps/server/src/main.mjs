// Plain JavaScript, because this file is loaded before the compile cache is on: for TypeScript,
// Node would load a compiler.
import "../../../scripts/require-node.mjs";
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// The server runs from its build (scripts/build-server.ts); scripts/dev-server.mjs runs it from its
// source.
const built = new URL("../dist/server.mjs", import.meta.url);
if (!existsSync(built)) {
  console.error('The server is not built: run "npm run build" first.');
  process.exit(1);
}
enableCompileCache();
const { run, commit } = await import(built.href);
await run(join(import.meta.dirname, "../../.."), commit);
