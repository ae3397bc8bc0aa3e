import "./require-node.mjs";
import { runTogether } from "./child-processes.ts";
import { buildStaleParts } from "./stale-builds.ts";
import { sandboxArgs, wireTrial } from "./trial.ts";

/** The port of the server; Vite serves the app from its source at `port`. */
const serverPort = (port: string) => String(Number(port) + 10);

const viteApp = (app: string, port: string) => ({
  name: `${app} app`,
  args: ["scripts/dev-vite.ts", app, port, `http://localhost:${serverPort(port)}`],
});

const shopPort = process.env.PORT || "3000";

// The server does not start without the built pages.
await buildStaleParts();
const { shopOrigin, mailbox, serverEnv, sandboxEnv } = wireTrial(process.env);
const { ADMIN_PORT: adminPort } = serverEnv;
const hasAdmin = adminPort !== "off";
const adminUrl = process.env.ADMIN_URL || `http://localhost:${adminPort}`;
console.log(`
  Shop      ${shopOrigin}, reloaded as you write
  Admin     ${hasAdmin ? `${adminUrl}, reloaded as you write` : "off"}
  Mailbox   ${mailbox}
  Stop      Ctrl-C
`);
process.exitCode = await runTogether([
  { name: "sandbox", args: ["--watch", ...sandboxArgs], env: sandboxEnv },
  {
    name: "server",
    args: ["--watch", "scripts/dev-server.mjs"],
    env: {
      ...serverEnv,
      PORT: serverPort(shopPort),
      PUBLIC_URL: shopOrigin,
      ...(hasAdmin ? { ADMIN_PORT: serverPort(adminPort), ADMIN_URL: adminUrl } : {}),
    },
  },
  viteApp("storefront", shopPort),
  ...(hasAdmin ? [viteApp("admin", adminPort)] : []),
]);
