import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { boundSharp, prepare } from "./prepare.ts";

// The process that turns uploaded pictures into what the shop serves. It is told a file and answers
// what has become of it, one after another. A picture that brings it down takes nothing else with
// it, and the server goes on with another process.

/** Lower than the server's: requests are answered first. */
const PRIORITY = 10;

try {
  setPriority(PRIORITY);
} catch {
  // Some service managers forbid it. Pictures are prepared all the same.
}
try {
  // Where memory runs out, Linux ends this process before the server and the database.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // There is no such file elsewhere, and some service managers forbid it.
}
boundSharp();

process.on("message", async (file: unknown) => {
  if (file instanceof Uint8Array) process.send?.(await prepare(file));
});
// The server has ended, or needs this process no longer.
process.on("disconnect", () => process.exit());
