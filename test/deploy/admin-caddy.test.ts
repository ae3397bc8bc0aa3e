import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdminConfig } from "../../apps/server/src/config/admin-config.ts";
import { placeOrder } from "../harness/customer.ts";
import { freePort } from "../harness/network.ts";
import { startCaddy } from "../harness/services.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import {
  adminBrowser,
  newLink,
  openLive,
  ownerBrowser,
  refusedLive,
  tellsOf,
} from "../harness/staff.ts";

// The admin behind the real Caddy with deploy/admin.Caddyfile, over TLS as in operation.

const deploy = join(import.meta.dirname, "../../deploy");
const trusted = getCACertificates("default");

let shop: Shop;
let admin: AdminConfig;
let proxy: AdminProxy;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-admin-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Admin</title>");
  admin = {
    host: "127.0.0.1",
    port: await freePort(),
    url: `https://localhost:${await freePort()}`,
    link: false,
  };
  shop = await startShop({ config: { admin, trustProxy: 1 }, adminRoot: folder });
  const servers = { shop: new URL(shop.url).host, admin: `127.0.0.1:${admin.port}` };
  proxy = await startAdminCaddy(servers, admin.url);
  setDefaultCACertificates([...trusted, proxy.authority]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await proxy.stop();
  await shop.close();
  await rm(folder, { recursive: true });
});

test("serves the admin under its own hostname, and the shop without the admin API under the other", async () => {
  const page = await fetch(`${admin.url}/orders`);
  expect(await page.text()).toContain("<title>Admin</title>");
  expect(page.headers.get("content-security-policy")).toContain(
    `connect-src 'self' ${admin.url.replace("http", "ws")}`,
  );
  expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect((await fetch(`${proxy.url}${paths.items}`)).status).toBe(200);
  expect((await fetch(`${proxy.url}${paths.admin.orders}`)).status).toBe(404);
});

test("signs in with a link, and sets a cookie for this host only", async () => {
  const browser = adminBrowser(admin);
  const link = await newLink(shop);
  expect(link.startsWith(`${admin.url}/`)).toBe(true);
  expect((await browser.call("GET", paths.auth.session)).status).toBe(204);
  await browser.signIn(link);
  expect(browser.cookie).toMatch(/^__Host-admin=/);
  expect((await browser.call("GET", paths.admin.today)).status).toBe(200);
  const out = await browser.call("DELETE", paths.auth.session);
  expect(out.headers.getSetCookie()).toEqual([
    "__Host-admin=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
  ]);
});

test("refuses changes from pages of another origin", async () => {
  const owner = await ownerBrowser(shop);
  const { id } = await placeOrder({ url: proxy.url });
  const note = (origin: string) =>
    owner.call("POST", withId(paths.admin.notes, id), { text: "Gift wrap" }, { origin });
  expect((await note(admin.url)).status).toBe(201);
  for (const origin of [proxy.url, admin.url.replace("https", "http"), "https://evil.example"])
    expect(await note(origin)).toMatchObject({ status: 403, body: { code: "wrong_origin" } });
});

test("keeps the live socket open, and refuses one from another origin", async () => {
  const owner = await ownerBrowser(shop);
  const live = await openLive(owner);
  await placeOrder({ url: proxy.url });
  await live.until("the order", tellsOf("orders"));
  live.socket.close();
  expect(await refusedLive(admin, { origin: proxy.url, cookie: owner.cookie })).toBe(403);
});

test("limits failed sign-ins by client address, and ignores forged X-Forwarded-For headers", async () => {
  const statuses: number[] = [];
  // Each of these browsers sends an X-Forwarded-For of its own.
  for (let guess = 0; guess <= 10; guess += 1)
    statuses.push(
      (await adminBrowser(admin).call("POST", paths.auth.signIn, { link: "a".repeat(43) })).status,
    );
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

/** Caddy in front of a shop and its admin, with the certificates of a new certificate authority. */
interface AdminProxy {
  /** The URL of the shop, over plain HTTP. */
  readonly url: string;
  /** The certificate of its authority, as PEM. */
  readonly authority: string;
  stop(): Promise<void>;
}

/**
 * Caddy with its main file and the admin's beside it, as `compose.yaml` mounts them.
 *
 * @param servers the shop's server and the admin's, as `host:port`
 * @param adminUrl the admin's origin, with https and a port
 */
async function startAdminCaddy(
  servers: { readonly shop: string; readonly admin: string },
  adminUrl: string,
): Promise<AdminProxy> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-admin-caddy-"));
  await copyFile(join(deploy, "admin.Caddyfile"), join(folder, "admin.Caddyfile"));
  const settings = (text: string) =>
    text
      .replace("import /etc/caddy/admin/*", `import ${folder}/admin.Caddyfile`)
      // This machine shall not trust the authority, and the ports 80 and 443 are not the test's.
      .replace(/^\{\n/m, "{\n\tskip_install_trust\n\tauto_https disable_redirects\n");
  const env = { ADMIN_DOMAIN: adminUrl, ADMIN_SERVERS: servers.admin, XDG_DATA_HOME: folder };
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
