import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startService } from "./services.ts";

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

/** Caddy in front of a shop and its desk, with the certificates of a new certificate authority. */
export interface DeskProxy {
  /** The URL of the shop, over plain HTTP. */
  readonly url: string;
  /** The certificate of its authority, as PEM. */
  readonly authority: string;
  stop(): Promise<void>;
}

/**
 * Caddy with its main file and the desk's beside it, as `compose.yaml` mounts them.
 *
 * @param servers the shop's server and the desk's, as `host:port`
 * @param deskUrl the desk's origin, with https and a port
 */
export async function startDeskCaddy(
  servers: { readonly shop: string; readonly desk: string },
  deskUrl: string,
): Promise<DeskProxy> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-desk-caddy-"));
  await copyFile(join(deploy, "desk.Caddyfile"), join(folder, "desk.Caddyfile"));
  const settings = (text: string) =>
    text
      .replace("import /etc/caddy/desk/*", `import ${folder}/desk.Caddyfile`)
      // This machine shall not trust the authority, and the ports 80 and 443 are not the test's.
      .replace(/^\{\n/m, "{\n\tskip_install_trust\n\tauto_https disable_redirects\n");
  const env = { DESK_DOMAIN: deskUrl, DESK_SERVERS: servers.desk, XDG_DATA_HOME: folder };
  const { url, stop } = await startCaddy([servers.shop], settings, env);
  const authority = await readFile(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8");
  return {
    url,
    authority,
    async stop() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
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
