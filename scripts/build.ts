import { join } from "node:path";
import { buildServer } from "./build-server.ts";
import { buildDesk, buildWeb } from "./build-web.ts";
import { buildParts, isPart, type Part } from "./stale-builds.ts";

const apps = join(import.meta.dirname, "../apps");
const builders: Record<Part, (dist: string) => Promise<void>> = {
  web: buildWeb,
  desk: buildDesk,
  server: buildServer,
};

// Without arguments it builds everything, otherwise the parts that they name.
const named = process.argv.slice(2).filter(isPart);
const parts = named.length === 0 ? buildParts : named;
for (const part of parts) await builders[part](join(apps, part, "dist"));
console.log(`Built: ${parts.join(", ")}.`);
