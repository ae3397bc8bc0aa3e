import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { limitSharp, prepare } from "./prepare.ts";

// The process that makes the renditions of uploaded pictures. It receives one file at a time and
// answers with the result. If a picture crashes it, the server starts another process.

/** Lower than the server's: requests are answered first. */
const PRIORITY = 10;

try {
  setPriority(PRIORITY);
} catch {
  // Some service managers forbid this. Pictures are prepared anyway.
}
try {
  // When memory runs out, Linux ends this process before the server and the database.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Other systems have no such file, and some service managers forbid this.
}
limitSharp();

process.on("message", async (file: unknown) => {
  if (file instanceof Uint8Array) process.send?.(await prepare(file));
});
// The server has ended, or no longer needs this process.
process.on("disconnect", () => process.exit());
