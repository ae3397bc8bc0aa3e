import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Asks the registry whether what the shop runs on has a known weakness; not every registry can answer. */
const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  shell: process.platform === "win32",
});

interface Report {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
}

const report = read(stdout);
const found = report?.metadata?.vulnerabilities;
if (found === undefined) {
  console.log("The registry does not answer audits: known weaknesses of dependencies were not looked for.");
} else {
  const grave = (found.high ?? 0) + (found.critical ?? 0);
  console.log(`Known weaknesses of what the shop runs on: ${grave} grave, ${found.total ?? 0} in all.`);
  if (grave > 0) process.exit(1);
}

function read(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
