import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { aptInstall, isDebianRoot } from "./apt.ts";
import { findProgram } from "./find-program.ts";

/** A server that the tests start, or use if a running one is configured. */
interface NeededServer {
  readonly name: string;
  /** The environment variable with the URL of a running server, if the tests support one. */
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

/** The path of a PostgreSQL program; `undefined` if it is not installed. */
export function findPostgres(program = postgres.program): string | undefined {
  return find({ ...postgres, program });
}

/** The path of the Redis server; `undefined` if it is not installed. */
export function findRedis(): string | undefined {
  return find(redis);
}

/** The path of Caddy; `undefined` if it is not installed. */
export function findCaddy(): string | undefined {
  return find(caddy);
}

/** The path of HAProxy; `undefined` if it is not installed. */
export function findHaproxy(): string | undefined {
  return find(haproxy);
}

/** The path of PgBouncer; `undefined` if it is not installed. */
export function findPgbouncer(): string | undefined {
  return find(pgbouncer);
}

/**
 * Makes sure that the servers for the tests are configured or installed; installs missing ones if it can.
 *
 * @throws if one cannot be installed; the message says what to install
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
        server.setting === undefined ? "" : `, or set ${server.setting} to the URL of a running one`;
      throw new Error(`The tests need ${server.name}: install it${named}.`);
    }
  }
}

function isNamed({ setting }: NeededServer): boolean {
  return setting !== undefined && (process.env[setting] ?? "") !== "";
}

function find({ program, places }: NeededServer): string | undefined {
  return findProgram([program], places());
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
