import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeskConfig } from "../apps/server/src/desk-config.ts";
import { placeOrder } from "./harness/client.ts";
import {
  deskBrowser,
  newLink,
  openLive,
  ownerBrowser,
  refusedLive,
  tellsOf,
} from "./harness/desk.ts";
import { freePort } from "./harness/free-port.ts";
import { type DeskProxy, startDeskCaddy } from "./harness/reverse-proxies.ts";
import { type Shop, startShop } from "./harness/shop.ts";

// The desk behind the real Caddy with deploy/desk.Caddyfile, over TLS as in operation.

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
  const owner = await ownerBrowser(shop, desk);
  const { id } = await placeOrder({ url: proxy.url });
  const note = (origin: string) =>
    owner.call("POST", withId(paths.merchant.notes, id), { text: "Gift wrap" }, { origin });
  expect((await note(desk.url)).status).toBe(201);
  for (const origin of [proxy.url, desk.url.replace("https", "http"), "https://evil.example"])
    expect(await note(origin)).toMatchObject({ status: 403, body: { code: "wrong_origin" } });
});

test("keeps the live socket open, and refuses one of another origin", async () => {
  const owner = await ownerBrowser(shop, desk);
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
