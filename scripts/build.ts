import { join } from "node:path";
import { buildWeb } from "./build-web.ts";

await buildWeb(join(import.meta.dirname, "../apps/web/dist"));
console.log("The web app is built.");
