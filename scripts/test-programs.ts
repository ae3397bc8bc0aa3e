import { globSync } from "node:fs";
import { aptInstall, findProgram, isDebianRoot, runInstaller } from "./programs.ts";

/** A program that some tests start and npm does not install: a server, or a second browser. */
interface TestProgram {
  readonly name: string;
  readonly program: string;
  /** Patterns of folders besides those of `PATH`. */
  readonly folders?: readonly string[];
  /** The package in Debian and Ubuntu; `brew` is that in Homebrew. */
  readonly apt: string;
  readonly brew?: string;
}

const commonFolders = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/sbin"];

const programs = {
  postgres: {
    name: "PostgreSQL",
    program: "postgres",
    folders: [
      "/usr/lib/postgresql/*/bin",
      "/{opt/homebrew,usr/local}/opt/postgresql{,@*}/bin",
      "/usr/pgsql/bin",
    ],
    apt: "postgresql",
    brew: "postgresql@17",
  },
  redis: { name: "Redis", program: "redis-server", apt: "redis-server", brew: "redis" },
  pgbouncer: { name: "PgBouncer", program: "pgbouncer", apt: "pgbouncer", brew: "pgbouncer" },
  caddy: { name: "Caddy", program: "caddy", apt: "caddy", brew: "caddy" },
  haproxy: { name: "HAProxy", program: "haproxy", apt: "haproxy", brew: "haproxy" },
  prometheus: { name: "Prometheus", program: "prometheus", apt: "prometheus", brew: "prometheus" },
  firefox: {
    name: "Firefox",
    program: "firefox",
    folders: ["/Applications/Firefox.app/Contents/MacOS"],
    apt: "firefox-esr",
    brew: "--cask firefox",
  },
  webkit: { name: "WebKitGTK", program: "WebKitWebDriver", apt: "webkit2gtk-driver" },
  xvfb: { name: "Xvfb, the screen of WebKitGTK", program: "Xvfb", apt: "xvfb" },
} as const satisfies Record<string, TestProgram>;

export type TestProgramName = keyof typeof programs;

export const testPrograms: readonly TestProgram[] = Object.values(programs);

/** Vitest reports a test that throws this as not run (`outcome/vitest-runner.ts`). */
export class ProgramMissing extends Error {
  override readonly name = "ProgramMissing";
  readonly howToInstall: string;

  constructor(name: TestProgramName) {
    const howToInstall = installHint(programs[name]);
    super(`The tests need ${howToInstall}`);
    this.howToInstall = howToInstall;
  }
}

/**
 * @param executable another program of the same package
 * @returns its path
 * @throws {ProgramMissing} if it is not installed
 */
export function needProgram(name: TestProgramName, executable?: string): string {
  const found = find(programs[name], executable);
  if (found === undefined) throw new ProgramMissing(name);
  return found;
}

export function findPostgres(program: string): string | undefined {
  return find(programs.postgres, program);
}

/** Installs missing programs on Debian and Ubuntu. Returns those that are still missing. */
export function installTestPrograms(wanted = testPrograms): readonly TestProgram[] {
  return wanted.filter((program) => {
    if (find(program) !== undefined) return false;
    if (isDebianRoot()) {
      console.log(`Installing ${program.name} for the tests …`);
      runInstaller(aptInstall(program.apt));
    }
    return find(program) === undefined;
  });
}

/**
 * Installs the named programs, or all.
 *
 * @throws if one cannot be installed; the message says how to install it
 */
export function requireTestPrograms(...names: readonly TestProgramName[]): void {
  const missing = installTestPrograms(
    names.length === 0 ? testPrograms : names.map((name) => programs[name]),
  );
  if (missing.length > 0)
    throw new Error(
      ["The tests need", ...missing.map((program) => `  ${installHint(program)}`)].join("\n"),
    );
}

/** For example `Redis: apt install redis-server, or brew install redis`. */
function installHint({ name, apt, brew }: TestProgram): string {
  return `${name}: apt install ${apt}${brew === undefined ? "" : `, or brew install ${brew}`}`;
}

const byNumbers = new Intl.Collator("en", { numeric: true });

function find({ program, folders = [] }: TestProgram, executable = program): string | undefined {
  const newestFirst = globSync(folders).sort((one, other) => byNumbers.compare(other, one));
  return findProgram([executable], [...newestFirst, ...commonFolders]);
}
