import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeskConfig } from "../apps/server/src/desk-config.ts";
import { placeOrder } from "./harness/customer.ts";
import { freePort } from "./harness/network.ts";
import { startCaddy } from "./harness/services.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import {
  deskBrowser,
  newLink,
  openLive,
  ownerBrowser,
  refusedLive,
  tellsOf,
} from "./harness/staff.ts";

// The desk behind the real Caddy with deploy/desk.Caddyfile, over TLS as in operation.

const deploy = join(import.meta.dirname, "../deploy");
const trusted = getCACertificates("default");

let shop: Shop;
let desk: DeskConfig;
let proxy: DeskProxy;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-desk-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Desk</title>");
  desk = {
    host: "127.0.0.1",
    port: await freePort(),
    url: `https://localhost:${await freePort()}`,
    link: false,
  };
  shop = await startShop({ config: { desk, trustProxy: 1 }, deskRoot: folder });
  const servers = { shop: new URL(shop.url).host, desk: `127.0.0.1:${desk.port}` };
  proxy = await startDeskCaddy(servers, desk.url);
  setDefaultCACertificates([...trusted, proxy.authority]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await proxy.stop();
  await shop.close();
  await rm(folder, { recursive: true });
});

test("shows the desk under its own name, and the shop without the merchant API under the other", async () => {
  const page = await fetch(`${desk.url}/orders`);
  expect(await page.text()).toContain("<title>Desk</title>");
  expect(page.headers.get("content-security-policy")).toContain(
    `connect-src 'self' ${desk.url.replace("http", "ws")}`,
  );
  expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect((await fetch(`${proxy.url}${paths.items}`)).status).toBe(200);
  expect((await fetch(`${proxy.url}${paths.merchant.orders}`)).status).toBe(404);
});

test("signs in by the link, with a cookie that browsers send to this host alone", async () => {
  const browser = deskBrowser(desk);
  const link = await newLink(shop);
  expect(link.startsWith(`${desk.url}/`)).toBe(true);
  expect((await browser.call("GET", paths.desk.session)).status).toBe(204);
  await browser.signIn(link);
  expect(browser.cookie).toMatch(/^__Host-desk=/);
  expect((await browser.call("GET", paths.merchant.today)).status).toBe(200);
  const out = await browser.call("DELETE", paths.desk.session);
  expect(out.headers.getSetCookie()).toEqual([
    "__Host-desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
  ]);
});

test("makes changes for its own pages only", async () => {
  const owner = await ownerBrowser(shop);
  const { id } = await placeOrder({ url: proxy.url });
  const note = (origin: string) =>
    owner.call("POST", withId(paths.merchant.notes, id), { text: "Gift wrap" }, { origin });
  expect((await note(desk.url)).status).toBe(201);
  for (const origin of [proxy.url, desk.url.replace("https", "http"), "https://evil.example"])
    expect(await note(origin)).toMatchObject({ status: 403, body: { code: "wrong_origin" } });
});

test("keeps the live socket open, and refuses one of another origin", async () => {
  const owner = await ownerBrowser(shop);
  const live = await openLive(owner);
  await placeOrder({ url: proxy.url });
  await live.until("the order", tellsOf("orders"));
  live.socket.close();
  expect(await refusedLive(desk, { origin: proxy.url, cookie: owner.cookie })).toBe(403);
});

test("counts wrong sign-ins by the address of the visitor, whatever the visitor says it is", async () => {
  const statuses: number[] = [];
  // Each of these browsers sends an X-Forwarded-For of its own.
  for (let guess = 0; guess <= 10; guess += 1)
    statuses.push(
      (await deskBrowser(desk).call("POST", paths.desk.signIn, { link: "a".repeat(43) })).status,
    );
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

/** Caddy in front of a shop and its desk, with the certificates of a new certificate authority. */
interface DeskProxy {
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
async function startDeskCaddy(
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
