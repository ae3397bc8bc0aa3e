import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCaddy, findHaproxy } from "../../scripts/find-servers.ts";
import { freePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

const deploy = join(import.meta.dirname, "../../deploy");

/** A real reverse proxy with the settings of `deploy/`, in front of servers of the shop. */
export interface ReverseProxy {
  readonly url: string;
  /** Its output so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a proxy in front of servers, given as `host:port`; a test may change its settings. */
export type StartProxy = (
  servers: readonly string[],
  change?: (settings: string) => string,
) => Promise<ReverseProxy>;

/** Caddy: its settings read the shop's address and the servers from the environment. */
export const startCaddy: StartProxy = async (servers, change = (settings) => settings) => {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "keepsats-caddy-"))];
  const url = `http://localhost:${port}`;
  const file = join(folder, "Caddyfile");
  await writeFile(file, change(await readFile(join(deploy, "Caddyfile"), "utf8")));
  const child = spawn(needed(findCaddy(), "Caddy"), ["run", "--config", file, "--adapter", "caddyfile"], {
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      CADDY_ADMIN: `localhost:${await freePort()}`,
      SHOP_DOMAIN: url,
      SHOP_SERVERS: servers.join(" "),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return opened(child, url, folder);
};

/** HAProxy: the ports and the servers in its settings are replaced by those of the test. */
export const startHaproxy: StartProxy = async (servers, change = (settings) => settings) => {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "keepsats-haproxy-"))];
  const settings = (await readFile(join(deploy, "haproxy.cfg"), "utf8"))
    .replace(/^\tbind :80\n/m, `\tbind 127.0.0.1:${port}\n`)
    .replace(/^\tbind :443 .*\n\thttp-request redirect scheme https .*\n/m, "")
    .replace(/shop-(\d):3000/g, (_, number) => servers[Number(number) - 1] ?? "nothing");
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, change(settings));
  const child = spawn(needed(findHaproxy(), "HAProxy"), ["-db", "-f", file], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return opened(child, `http://localhost:${port}`, folder);
};

function needed(program: string | undefined, name: string): string {
  if (program === undefined) throw new Error(`the tests need ${name}; npm test installs it or says how`);
  return program;
}

async function opened(child: ChildProcess, url: string, folder: string): Promise<ReverseProxy> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += data));
  const exit = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exit;
    await rm(folder, { recursive: true });
  };
  try {
    await waitFor(
      () => `the proxy to answer; it said: ${output}`,
      () => {
        if (child.exitCode !== null) throw new Error(`the proxy did not start: ${output}`);
        return fetch(`${url}/livez`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, output: () => output, stop };
}
