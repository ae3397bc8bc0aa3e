import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildIsStale } from "../../scripts/web-build.ts";

/** Builds the web app, because the tests serve the real build. */
export default async function setup(): Promise<void> {
  if (!(await buildIsStale())) return;
  execFileSync(process.execPath, ["scripts/build.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: "inherit",
  });
}
