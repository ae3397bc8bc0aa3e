// Plain JavaScript, because this file is loaded before the compile cache is on: for TypeScript, Node would load a compiler.
import { enableCompileCache } from "node:module";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Keepsats needs Node 24 or newer and this is ${process.versions.node}: start it with "npm run serve", which brings its own.`,
  );
  process.exit(1);
}
enableCompileCache();
const { run } = await import("./run.ts");
await run();
