import { join } from "node:path";
import { startProcess } from "./server-process.ts";

const scripts = join(import.meta.dirname, "../../scripts");

/**
 * Runs `npm run backup` or `npm run restore` on a database. @returns its exit code and what it
 * printed
 */
export async function runDatabaseTask(
  cwd: string,
  command: "backup" | "restore",
  databaseUrl: string,
  ...args: string[]
): Promise<{ code: number | null; said: string }> {
  const env = { DATABASE_URL: databaseUrl };
  const started = await startProcess({ cwd, env, args: [join(scripts, `${command}.ts`), ...args] });
  return { code: await started.ended(), said: started.output().trim() };
}
