import "./require-node.mjs";
import { runTogether } from "./child-processes.ts";
import { buildStaleParts } from "./stale-builds.ts";
import { checkTrial, sandboxArgs, wireTrial } from "./trial.ts";

/** The port of the server behind the port at which Vite serves an app from its source. */
const behind = (port: string) => String(Number(port) + 10);

const webPort = process.env.PORT || "3000";

// The server serves the built pages too, and does not start without. The build is for production,
// and so is its process.
await buildStaleParts();
checkTrial(process.env);
const { shopOrigin, mailbox, serverEnv, sandboxEnv } = wireTrial(process.env);
const { DESK_PORT: deskPort = "off" } = serverEnv;
const hasDesk = deskPort !== "off";
const deskUrl = process.env.DESK_URL || `http://localhost:${deskPort}`;
const deskEnv = { DESK_PORT: behind(deskPort), DESK_URL: deskUrl };
const deskApp = {
  name: "desk app",
  args: ["scripts/dev-desk.ts"],
  env: {
    KEEPSATS_DESK_SERVER: `http://localhost:${deskEnv.DESK_PORT}`,
    KEEPSATS_DESK_PORT: deskPort,
  },
};
console.log(`
  Shop      ${shopOrigin}, reloaded as you write
  Desk      ${hasDesk ? `${deskUrl}, reloaded as you write` : "off"}
  Mailbox   ${mailbox}
  Stop      Ctrl-C
`);
process.exitCode = await runTogether([
  { name: "sandbox lender", args: ["--watch", ...sandboxArgs], env: sandboxEnv },
  {
    name: "server",
    args: ["--watch", "scripts/dev-server.mjs"],
    env: {
      ...serverEnv,
      PORT: behind(webPort),
      PUBLIC_URL: shopOrigin,
      ...(hasDesk ? deskEnv : {}),
    },
  },
  {
    name: "web app",
    args: ["scripts/dev-web.ts"],
    env: { KEEPSATS_SERVER: `http://localhost:${behind(webPort)}`, KEEPSATS_WEB_PORT: webPort },
  },
  ...(hasDesk ? [deskApp] : []),
]);
