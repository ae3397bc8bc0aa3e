import { cp } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { compressAll } from "./compress.ts";

process.env.NODE_ENV = "production";
const root = join(import.meta.dirname, "..");
const web = join(root, "apps/web");
const dist = join(web, "dist");

await build({ configFile: join(web, "vite.config.ts"), mode: "production", logLevel: "warn" });
await cp(join(root, "catalogue/pictures"), join(dist, "pictures"), { recursive: true });
await compressAll(dist);
console.log("The web app is built.");
