import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall, isDebianRoot } from "./apt.ts";

/** A server that the tests start for themselves, or use where one is named. */
interface NeededServer {
  readonly name: string;
  /** The environment variable that names a running one, where the tests can use that. */
  readonly setting?: string;
  readonly program: string;
  readonly places: () => readonly string[];
  readonly packages: readonly string[];
}

const postgres: NeededServer = {
  name: "PostgreSQL",
  setting: "TEST_DATABASE_URL",
  program: "postgres",
  places: () => [
    ...versionsIn("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...["/opt/homebrew/opt", "/usr/local/opt"].flatMap((folder) =>
      versionsIn(folder, /^postgresql(?:@\d+)?$/).map((version) => `${folder}/${version}/bin`),
    ),
    "/usr/pgsql/bin",
  ],
  packages: ["postgresql"],
};

const redis: NeededServer = {
  name: "Redis",
  setting: "TEST_REDIS_URL",
  program: "redis-server",
  places: () => ["/opt/homebrew/bin", "/usr/local/bin"],
  packages: ["redis-server"],
};

const programFolders = () => ["/opt/homebrew/bin", "/usr/local/bin", "/usr/sbin"];
const caddy: NeededServer = { name: "Caddy", program: "caddy", places: programFolders, packages: ["caddy"] };
const haproxy: NeededServer = {
  name: "HAProxy",
  program: "haproxy",
  places: programFolders,
  packages: ["haproxy"],
};
const pgbouncer: NeededServer = {
  name: "PgBouncer",
  program: "pgbouncer",
  places: programFolders,
  packages: ["pgbouncer"],
};

/** The path of one of PostgreSQL's programs, the server or another; `undefined` where there is none. */
export function findPostgres(program = postgres.program): string | undefined {
  return find({ ...postgres, program });
}

/** The path of Redis's server; `undefined` where there is none. */
export function findRedis(): string | undefined {
  return find(redis);
}

/** The path of Caddy; `undefined` where there is none. */
export function findCaddy(): string | undefined {
  return find(caddy);
}

/** The path of HAProxy; `undefined` where there is none. */
export function findHaproxy(): string | undefined {
  return find(haproxy);
}

/** The path of PgBouncer; `undefined` where there is none. */
export function findPgbouncer(): string | undefined {
  return find(pgbouncer);
}

/**
 * Sees to it that the tests can have the servers that stand beside the shop: running ones that are named, or programs to start.
 *
 * @throws when one cannot be had; the message says what to install
 */
export function requireServers(): void {
  for (const server of [postgres, redis, caddy, haproxy, pgbouncer]) {
    if (isNamed(server) || find(server) !== undefined) continue;
    if (isDebianRoot()) {
      console.log(`There is no ${server.name} for the tests; installing one …`);
      const [command, ...args] = aptInstall(...server.packages);
      execFileSync(command, args, { stdio: "inherit", timeout: 600_000 });
    }
    if (find(server) === undefined) {
      const named =
        server.setting === undefined ? "" : `, or set ${server.setting} to the URL of one that runs`;
      throw new Error(`The tests need ${server.name}: install it${named}.`);
    }
  }
}

function isNamed({ setting }: NeededServer): boolean {
  return setting !== undefined && (process.env[setting] ?? "") !== "";
}

function find({ program, places }: NeededServer): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...places()];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
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
