import { join } from "node:path";
import { buildServer } from "./build-server.ts";
import { buildAdmin, buildStorefront } from "./build-web-apps.ts";
import { buildParts, isPart, type Part } from "./stale-builds.ts";

const apps = join(import.meta.dirname, "../apps");
const builders: Record<Part, (dist: string) => Promise<void>> = {
  storefront: buildStorefront,
  admin: buildAdmin,
  server: buildServer,
};

// Builds the parts that the arguments name, or all.
const named = process.argv.slice(2).filter(isPart);
const parts = named.length === 0 ? buildParts : named;
for (const part of parts) await builders[part](join(apps, part, "dist"));
console.log(`Built: ${parts.join(", ")}.`);
