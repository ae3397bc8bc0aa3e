import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program and its arguments. */
export type Command = [string, ...string[]];

/**
 * The path of the first installed program, searched in the folders of `PATH` and then in further
 * ones.
 */
export function findProgram(
  programs: readonly string[],
  further: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...further].filter(
    (folder) => folder !== "",
  );
  return folders
    .flatMap((folder) => programs.map((program) => join(folder, program)))
    .find((path) => existsSync(path));
}

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

/** @returns whether it succeeded within `timeout` milliseconds */
export function runInstaller([command, ...args]: Command, timeout = 600_000): boolean {
  return spawnSync(command, args, { stdio: "inherit", timeout }).status === 0;
}

/** Finds or installs programs that npm does not provide; exits with a one-line message on failure. */
export async function requirePrograms(...programs: readonly (() => unknown)[]): Promise<void> {
  try {
    for (const requireProgram of programs) await requireProgram();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
