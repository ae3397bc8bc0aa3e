// Plain JavaScript, because this file is loaded before the compile cache is on: for TypeScript, Node would load a compiler.
import "../../../scripts/require-node.mjs";
import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("./run.ts");
await run();
