import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { limitSharp, prepare } from "./prepare.ts";

// The process that makes the renditions of an uploaded picture. It receives the file and answers
// with the result; the server then ends it.

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
// The server has ended.
process.on("disconnect", () => process.exit());
