import { join } from "node:path";
import { buildDesk, buildWeb } from "./build-web.ts";

const apps = join(import.meta.dirname, "../apps");
await buildWeb(join(apps, "web/dist"));
await buildDesk(join(apps, "desk/dist"));
console.log("The shop's web app and the desk are built.");
