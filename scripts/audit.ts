import { spawnSync } from "node:child_process";
import { join } from "node:path";

interface Report {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
}

// Asks the package registry for known vulnerabilities of the runtime dependencies.
const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  shell: process.platform === "win32",
});
const found = read(stdout).metadata?.vulnerabilities;
if (found === undefined) {
  console.log(
    "The registry does not support audits: dependencies were not checked for known vulnerabilities.",
  );
} else {
  const serious = (found.high ?? 0) + (found.critical ?? 0);
  console.log(
    `Known vulnerabilities of runtime dependencies: ${serious} high or critical, ${found.total ?? 0} in total.`,
  );
  process.exitCode = serious > 0 ? 1 : 0;
}

/** A registry without audits answers with an error, in JSON or not. */
function read(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
