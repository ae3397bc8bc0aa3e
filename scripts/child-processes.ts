import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export interface Program {
  readonly name: string;
  /** The arguments of Node: flags, the file, and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** In milliseconds; then the programs are killed. */
const STOP_TIMEOUT = 12_000;

/**
 * Runs programs until one of them ends or Ctrl-C is pressed, then stops the others. Their output
 * goes to that of this process.
 *
 * @returns the exit code for this process: 0 if it was asked to stop, 1 if a program ended on its
 *   own
 */
export function runTogether(programs: readonly Program[]): Promise<number> {
  return new Promise((resolve) => {
    const children = new Set<ChildProcess>();
    let exitCode: number | undefined;

    function stop(code: number): void {
      if (exitCode !== undefined) return;
      exitCode = code;
      for (const child of children) child.kill("SIGTERM");
      setTimeout(() => {
        for (const child of children) child.kill("SIGKILL");
      }, STOP_TIMEOUT).unref();
    }

    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => stop(0));
    for (const { name, args, env } of programs) {
      const child = spawn(process.execPath, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ["ignore", "inherit", "inherit"],
      });
      children.add(child);
      child.on("exit", (code, signal) => {
        children.delete(child);
        if (exitCode === undefined)
          console.error(`The ${name} has ended (${signal ?? `exit code ${code}`}).`);
        stop(1);
        if (children.size === 0) resolve(exitCode ?? 1);
      });
    }
  });
}
