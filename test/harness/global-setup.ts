import type { TestProject } from "vitest/node";
import { openPostgres } from "../../apps/server/src/platform/database/postgres.ts";
import { buildStaleParts } from "../../scripts/stale-builds.ts";
import { ProgramMissing } from "../../scripts/test-programs.ts";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * The PostgreSQL server that all integration tests share; each creates its own databases. "" if
     * there is none.
     */
    postgresUrl: string;
    /** The name of a database on it that has all tables of the shop, to be copied. */
    postgresTemplate: string;
  }
}

/**
 * Builds the server and the web apps, because the tests start the real build, and starts one
 * PostgreSQL for the tests of all projects of a run.
 */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject();
  if (root.getProvidedContext().postgresUrl !== undefined) return undefined;
  await buildStaleParts();
  try {
    const postgres = await startPostgres();
    root.provide("postgresUrl", postgres.url);
    const template = await postgres.newDatabase();
    await (await openPostgres(template)).close();
    root.provide("postgresTemplate", new URL(template).pathname.slice(1));
    return postgres.stop;
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    root.provide("postgresUrl", "");
    root.provide("postgresTemplate", "");
    return undefined;
  }
}
