// Runs after "npm ci", on any Node. npm before version 11 does not link the Node that it installs,
// because the packages for other systems have a program of the same name. Fails if the linked Node
// does not start.
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";

const folder = new URL("../node_modules/.bin/", import.meta.url);
const link = new URL("node", folder);
const system = `${process.platform}-${process.arch}`;
const installed = [`../node-${system}/bin/node`, `../node-bin-${system}/bin/node`].find((program) =>
  existsSync(new URL(program, folder)),
);

if (installed !== undefined) {
  if (!existsSync(link)) symlinkSync(installed, link);
  process.exitCode = spawnSync(link.pathname, ["--version"]).status === 0 ? 0 : 1;
}
