import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { aptInstall, findProgram, isDebianRoot } from "./programs.ts";

/** A program that some tests start and npm does not install: a server, or a second browser. */
interface Server {
  readonly name: string;
  readonly program: string;
  /** Folders besides those of `PATH`. */
  readonly folders?: () => readonly string[];
  /** The environment variable with the URL of a running server, if the tests support one. */
  readonly setting?: string;
  /** The package in Debian and Ubuntu; `brew` is that in Homebrew. */
  readonly apt: string;
  readonly brew?: string;
}

const commonFolders = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/sbin"];

const servers = {
  postgres: {
    name: "PostgreSQL",
    program: "postgres",
    setting: "TEST_DATABASE_URL",
    folders: () => [
      ...versionsIn("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`),
      ...["/opt/homebrew/opt", "/usr/local/opt"].flatMap((folder) =>
        versionsIn(folder, /^postgresql(?:@\d+)?$/).map((version) => `${folder}/${version}/bin`),
      ),
      "/usr/pgsql/bin",
    ],
    apt: "postgresql",
    brew: "postgresql@17",
  },
  redis: {
    name: "Redis",
    program: "redis-server",
    setting: "TEST_REDIS_URL",
    apt: "redis-server",
    brew: "redis",
  },
  pgbouncer: { name: "PgBouncer", program: "pgbouncer", apt: "pgbouncer", brew: "pgbouncer" },
  caddy: { name: "Caddy", program: "caddy", apt: "caddy", brew: "caddy" },
  haproxy: { name: "HAProxy", program: "haproxy", apt: "haproxy", brew: "haproxy" },
  prometheus: { name: "Prometheus", program: "prometheus", apt: "prometheus", brew: "prometheus" },
  firefox: {
    name: "Firefox",
    program: "firefox",
    folders: () => ["/Applications/Firefox.app/Contents/MacOS"],
    apt: "firefox-esr",
    brew: "--cask firefox",
  },
  webkit: { name: "WebKitGTK", program: "WebKitWebDriver", apt: "webkit2gtk-driver" },
  xvfb: { name: "Xvfb, the screen of WebKitGTK", program: "Xvfb", apt: "xvfb" },
} as const satisfies Record<string, Server>;

export type ServerName = keyof typeof servers;

export const allServers: readonly Server[] = Object.values(servers);

/** Vitest reports a test that throws this as not run (`outcome/vitest-runner.ts`). */
export class ServerMissing extends Error {
  override readonly name = "ServerMissing";
  readonly howToInstall: string;

  constructor(server: ServerName) {
    const howToInstall = installHint(servers[server]);
    super(`The tests need ${howToInstall}`);
    this.howToInstall = howToInstall;
  }
}

/**
 * @param program another program of the server's package
 * @returns the path of the program
 * @throws {ServerMissing} if it is not installed
 */
export function needServer(server: ServerName, program?: string): string {
  const found = find(servers[server], program);
  if (found === undefined) throw new ServerMissing(server);
  return found;
}

export function findPostgres(program: string): string | undefined {
  return find(servers.postgres, program);
}

/** Installs missing servers on Debian and Ubuntu. @returns those that are still missing */
export function installServers(wanted = allServers): readonly Server[] {
  return wanted.filter((server) => {
    if (isConfigured(server) || find(server) !== undefined) return false;
    if (isDebianRoot()) {
      console.log(`There is no ${server.name} for the tests; installing one …`);
      const [command, ...args] = aptInstall(server.apt);
      spawnSync(command, args, { stdio: "inherit", timeout: 600_000 });
    }
    return find(server) === undefined;
  });
}

/**
 * Installs the named servers, or all.
 *
 * @throws if one cannot be installed; the message says how to install it
 */
export function requireServers(...names: readonly ServerName[]): void {
  const missing = installServers(
    names.length === 0 ? allServers : names.map((name) => servers[name]),
  );
  if (missing.length > 0)
    throw new Error(
      ["The tests need", ...missing.map((server) => `  ${installHint(server)}`)].join("\n"),
    );
}

/**
 * For example `Redis: apt install redis-server, or brew install redis, or set TEST_REDIS_URL to a
 * running one`.
 */
function installHint({ name, apt, brew, setting }: Server): string {
  const ways = [
    `apt install ${apt}`,
    ...(brew === undefined ? [] : [`brew install ${brew}`]),
    ...(setting === undefined ? [] : [`set ${setting} to the URL of a running one`]),
  ];
  return `${name}: ${ways.join(", or ")}`;
}

function isConfigured({ setting }: Server): boolean {
  return setting !== undefined && (process.env[setting] ?? "") !== "";
}

function find({ program, folders }: Server, other = program): string | undefined {
  return findProgram([other], [...(folders?.() ?? []), ...commonFolders]);
}

/** The folders of installed versions, newest first. */
function versionsIn(folder: string, pattern = /^\d+$/): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort(
      (one, other) =>
        Number.parseInt(other.replace(/\D/g, ""), 10) - Number.parseInt(one.replace(/\D/g, ""), 10),
    );
}
