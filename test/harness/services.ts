import { chownSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { answersQueries, serverUser } from "./postgres.ts";
import { type Service, startService } from "./service.ts";

/** Starts a temporary Redis. */
export function startRedis(): Promise<Service> {
  return startService({
    program: "redis",
    prepare: (folder, port) => [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
      "--appendonly",
      "no",
    ],
    urlOf: (port) => `redis://127.0.0.1:${port}`,
    answers: isListening,
  });
}

function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Starts a PgBouncer in front of the database with this URL. Returns its URL of that database. */
export function startPgbouncer(
  databaseUrl: string,
  mode: "session" | "transaction",
): Promise<Service> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const server = [
    `host=${hostname}`,
    `port=${port || 5432}`,
    `user=${decodeURIComponent(username)}`,
  ];
  if (password !== "") server.push(`password=${decodeURIComponent(password)}`);
  const owner = serverUser();
  return startService({
    program: "pgbouncer",
    owner,
    async prepare(folder, own) {
      const settings = [
        "[databases]",
        `* = ${server.join(" ")}`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${own}`,
        "unix_socket_dir =",
        "auth_type = any",
        `pool_mode = ${mode}`,
        "default_pool_size = 40",
      ];
      const file = join(folder, "pgbouncer.ini");
      await writeFile(file, settings.join("\n"));
      if (owner !== undefined)
        for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
      return [file];
    },
    urlOf: (own) => `postgres://keepsats@127.0.0.1:${own}${pathname}`,
    answers: answersQueries,
  });
}

const deploy = join(import.meta.dirname, "../../deploy");

/**
 * Starts a real reverse proxy with the settings of `deploy/`, in front of servers of the shop,
 * given as `host:port`; a test may change its settings.
 */
export type StartProxy = (
  servers: readonly string[],
  change?: (settings: string) => string,
) => Promise<Service>;

const common = {
  urlOf: (port: number) => `http://localhost:${port}`,
  answers: (url: string) =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
};

/** Caddy: its settings read the shop's address and the servers from the environment. */
export function startCaddy(
  servers: readonly string[],
  change: (settings: string) => string = (settings) => settings,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startService({
    ...common,
    program: "caddy",
    async prepare(folder) {
      const file = join(folder, "Caddyfile");
      const settings = change(await readFile(join(deploy, "Caddyfile"), "utf8"));
      // The port of the admin API may be in use by another Caddy on this machine.
      await writeFile(file, settings.replace(/^\{\n/m, "{\n\tadmin off\n"));
      return ["run", "--config", file, "--adapter", "caddyfile"];
    },
    env: (folder, port) => ({
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SHOP_DOMAIN: common.urlOf(port),
      SHOP_SERVERS: servers.join(" "),
      ...env,
    }),
  });
}

/** HAProxy: the ports and the servers in its settings are replaced by those of the test. */
export const startHaproxy: StartProxy = (servers, change = (settings) => settings) =>
  startService({
    ...common,
    program: "haproxy",
    async prepare(folder, port) {
      const settings = (await readFile(join(deploy, "haproxy.cfg"), "utf8"))
        .replace(/^\tbind :80\n/m, `\tbind 127.0.0.1:${port}\n`)
        .replace(/^\tbind :443 .*\n\thttp-request redirect scheme https .*\n/m, "")
        .replace(/shop-(\d):3000/g, (_, number) => servers[Number(number) - 1] ?? "nothing");
      const file = join(folder, "haproxy.cfg");
      await writeFile(file, change(settings));
      return ["-db", "-f", file];
    },
  });
