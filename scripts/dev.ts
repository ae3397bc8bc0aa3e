import "./require-node.mjs";
import { execFileSync } from "node:child_process";
import { runTogether } from "./child-processes.ts";
import { checkTrial, sandboxArgs, wireTrial } from "./trial.ts";
import { buildIsStale } from "./web-build.ts";

const serverPort = String(Number(process.env.PORT || "3000") + 10);

// The server serves the built pages too, and does not start without. The build is for production, and so is its process.
if (await buildIsStale()) execFileSync(process.execPath, ["scripts/build.ts"], { stdio: "inherit" });
checkTrial(process.env);
const { shopOrigin, mailbox, serverEnv, sandboxEnv } = wireTrial(process.env);
console.log(`
  Shop      ${shopOrigin}, reloaded as you write
  Mailbox   ${mailbox}
  Stop      Ctrl-C
`);
process.exitCode = await runTogether([
  { name: "sandbox lender", args: ["--watch", ...sandboxArgs], env: sandboxEnv },
  {
    name: "server",
    args: ["--watch", "apps/server/src/main.mjs"],
    env: { ...serverEnv, PORT: serverPort, PUBLIC_URL: shopOrigin },
  },
  {
    name: "web app",
    args: ["scripts/dev-web.ts"],
    env: { KEEPSATS_SERVER: `http://localhost:${serverPort}`, KEEPSATS_WEB_PORT: process.env.PORT || "3000" },
  },
]);
