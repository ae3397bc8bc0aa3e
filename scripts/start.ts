import "./require-node.mjs";
import { runTogether } from "./child-processes.ts";
import { buildStaleParts } from "./stale-builds.ts";
import { cliCommand, sandboxArgs, wireTrial } from "./trial.ts";

await buildStaleParts();
const { shopOrigin, mailbox, serverEnv, sandboxEnv } = wireTrial(process.env);
console.log(`
  Shop      ${shopOrigin}
  Mailbox   ${mailbox}: the emails that the shop sends
  Orders    ${cliCommand(process.env)} orders list
  Stop      Ctrl-C

  This is a trial: the loan provider is a sandbox, no money moves and no email leaves this machine.
`);
process.exitCode = await runTogether([
  { name: "sandbox", args: sandboxArgs, env: sandboxEnv },
  { name: "shop", args: ["apps/server/src/main.mjs"], env: serverEnv },
]);
