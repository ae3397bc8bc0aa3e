import { existsSync } from "node:fs";

/** A program and its arguments. */
export type Command = [string, ...string[]];

/** Whether packages can be installed without a prompt: as root on Debian or Ubuntu. */
export function isDebianRoot(): boolean {
  return existsSync("/etc/debian_version") && process.getuid?.() === 0;
}

/** Installs Debian packages without starting their services. */
export function aptInstall(...packages: string[]): Command {
  return [
    "sh",
    "-c",
    `apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${packages.join(" ")}`,
  ];
}
