import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { itemsSchema, paths } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { problemOf } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop({ config: { shopName: "Bits & <Bobs>" } }));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}${path}`, { headers });

/** Sends a request without normalising path and host, as `fetch` would. */
function rawGet(
  path: string,
  host: string,
): Promise<{ status: number; location: string | undefined }> {
  const { port } = new URL(shop.url);
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    })
      .on("error", reject)
      .end();
  });
}

describe("GET /api/items", () => {
  test("returns the sample catalogue: twelve items from 12 to 900 dollars", async () => {
    const response = await get(paths.items);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const items = itemsSchema.parse(await response.json());
    expect(items).toHaveLength(12);
    expect(Math.min(...items.map(({ price }) => price))).toBe(1_200);
    expect(Math.max(...items.map(({ price }) => price))).toBe(90_000);
  });

  test.each(["br", "gzip", "identity"])(
    "is served with encoding %s and the same content",
    async (encoding) => {
      const response = await get(paths.items, { "accept-encoding": encoding });
      expect(response.headers.get("content-encoding")).toBe(
        encoding === "identity" ? null : encoding,
      );
      expect(itemsSchema.parse(await response.json())).toHaveLength(12);
    },
  );

  test("is 304 for a client with the present ETag, until an item changes", async () => {
    const etag = (await get(paths.items)).headers.get("etag") ?? "";
    expect((await get(paths.items, { "if-none-match": etag })).status).toBe(304);
    await callAdminApi(shop, "PATCH", "/api/admin/items/moka-pot", { price: 46 });
    const items = itemsSchema.parse(await (await get(paths.items)).json());
    expect(items.find(({ id }) => id === "moka-pot")?.price).toBe(4_600);
    expect((await get(paths.items, { "if-none-match": etag })).status).toBe(200);
  });

  test("leaves out a hidden item, at once", async () => {
    const ids = async () =>
      itemsSchema.parse(await (await get(paths.items)).json()).map(({ id }) => id);
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { hidden: true });
    expect(await ids()).not.toContain("oak-chair");
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { hidden: false });
    expect(await ids()).toContain("oak-chair");
  });
});

describe("pages", () => {
  test.each(["/", "/checkout", "/order?orderId=x", "/anything/else", "/index.html"])(
    "%s is the app, never cached",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
      const html = await response.text();
      expect(html).toContain('id="keepsats-config"');
      expect(html).toContain("<title>Bits &#38; &#60;Bobs&#62;</title>");
      expect(html).not.toContain("<Bobs>");
    },
  );

  test("each screen has its own prerendered page, without links to a fragment", async () => {
    const [shopPage, checkout, order] = await Promise.all(
      ["/", "/Checkout//?x=1", "/order?orderId=x"].map(async (path) => (await get(path)).text()),
    );
    expect(shopPage?.match(/data-testid="skeleton"/g)).toHaveLength(8);
    expect(shopPage).toContain("Our Products");
    for (const page of [checkout, order]) expect(page).not.toContain("Our Products");
    expect(checkout).toMatch(/<a aria-current="page"[^>]*href="\/checkout"/);
    expect(order).not.toContain('aria-current="page"');
    for (const page of [shopPage, checkout, order]) expect(page).not.toMatch(/href="[^"]*#/);
  });

  test("the inline styles and the inline script are allowed by their hashes, and no other inline script is", async () => {
    const response = await get("/");
    const html = await response.text();
    const hashesOf = (pattern: RegExp) =>
      [...html.matchAll(pattern)].map(
        ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
      );
    const policy = response.headers.get("content-security-policy") ?? "";
    const [styles, scripts] = [
      hashesOf(/<style>([\s\S]*?)<\/style>/g),
      hashesOf(/<script>([\s\S]*?)<\/script>/g),
    ];
    expect([styles.length, scripts.length]).toEqual([2, 1]);
    expect(policy).toContain(`script-src 'self' ${scripts.join(" ")};`);
    for (const hash of styles) expect(policy).toContain(hash);
  });

  test.each(["identity", "*", "br", "gzip"])(
    "a page or file is served to a client that accepts %s",
    async (accepted) => {
      const paths = [
        "/",
        "/checkout/",
        "/favicon.svg",
        "/robots.txt",
        "/share.png",
        "/pictures/moka-pot.svg",
      ];
      for (const path of paths) {
        const response = await get(path, { "accept-encoding": accepted });
        expect([path, response.status]).toEqual([path, 200]);
      }
    },
  );

  test.each(["br", "gzip"])(
    "the page is served with encoding %s and the same content",
    async (encoding) => {
      const plain = await get("/", { "accept-encoding": "identity" });
      const response = await get("/", { "accept-encoding": encoding });
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      expect(await response.text()).toBe(await plain.text());
    },
  );

  test("the shop page asks for list, font and first picture at once, whichever picture that is", async () => {
    const first = async () => (await get("/")).headers.get("link");
    const own = "/pictures/brass-sharpener.svg";
    const change = (patch: object) =>
      callAdminApi(shop, "PATCH", "/api/admin/items/brass-sharpener", patch);
    expect(await first()).toBe(`<${own}>; rel=preload; as=image; fetchpriority=high`);
    await change({ image_url: "https://pictures.example/pot.jpg?width=800" });
    expect(await first()).toMatch(
      /^<https:\/\/pictures\.example\/pot\.jpg\?width=800>; rel=preload/,
    );
    await change({ hidden: true });
    expect(await first()).toMatch(/^<\/pictures\/enamel-mug\.svg>/);
    await change({ hidden: false, image_url: own });
    expect((await get("/checkout")).headers.get("link")).toBeNull();
    const html = await (await get("/")).text();
    expect(html).toMatch(/<script>\s*window\.itemsRequest = fetch\("\/api\/items"/);
    expect(html).toMatch(/<link rel="preload" as="font"[^>]* href="\/assets\/[\w.-]+\.woff2" \/>/);
  });

  test("a shared link to the shop has a name, a description and a picture", async () => {
    const html = await (await get("/")).text();
    expect(html).toContain('<meta property="og:title" content="Bits &#38; &#60;Bobs&#62;" />');
    const [, picture = ""] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
    expect(picture).toBe(`${shop.url}/share.png`);
    expect((await fetch(picture)).headers.get("content-type")).toBe("image/png");
  });

  test("the page of an item has its title, and its price and stock for search engines", async () => {
    const response = await get("/?item=moka-pot");
    expect(response.headers.get("link")).toMatch(/^<\/pictures\/moka-pot\.svg>; rel=preload/);
    const html = await response.text();
    expect(html).toContain("<title>Moka Pot · Bits &#38; &#60;Bobs&#62;</title>");
    expect(html).toContain(`<link rel="canonical" href="${shop.url}/?item=moka-pot" />`);
    expect(html.match(/<title>|rel="canonical"|name="description"/g)).toHaveLength(3);
    const [, json = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(html) ?? [];
    const { price, availability } = JSON.parse(json).offers;
    expect([Number(price) > 0, availability]).toEqual([true, "https://schema.org/InStock"]);
    const policy = (answer: Response) => answer.headers.get("content-security-policy");
    expect(policy(response)).toBe(policy(await get("/")));
  });

  test("a hidden item has the shop's page, and is not in the sitemap", async () => {
    const sitemap = async () => (await get("/sitemap.xml")).text();
    const address = `<loc>${shop.url}/?item=oak-chair</loc>`;
    expect(await sitemap()).toContain(address);
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { hidden: true });
    expect(await sitemap()).not.toContain(address);
    for (const id of ["oak-chair", "nothing", "%ff"]) {
      const html = await (await get(`/?item=${id}`)).text();
      expect(html).toContain("<title>Bits &#38; &#60;Bobs&#62;</title>");
      expect(html).toContain(`<link rel="canonical" href="${shop.url}/" />`);
      expect(html).not.toContain("ld+json");
    }
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { hidden: false });
  });

  test("robots.txt names the sitemap, which lists the shop page and all shown items", async () => {
    const robots = await (await get("/robots.txt")).text();
    expect(robots).toContain("Disallow: /order\n");
    const [, address = ""] = /^Sitemap: (\S+)$/m.exec(robots) ?? [];
    const response = await fetch(address, { headers: { "accept-encoding": "br" } });
    expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const sitemap = await response.text();
    expect(sitemap.match(/<loc>/g)).toHaveLength(13);
    expect(sitemap).toContain(`<loc>${shop.url}/</loc>`);
  });

  test("assets are immutable and served precompressed", async () => {
    const [script] = (
      await readdir(join(import.meta.dirname, "../../apps/storefront/dist/assets"))
    ).filter((name) => name.endsWith(".js"));
    const response = await get(`/assets/${script}`, { "accept-encoding": "br" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test.each(["/favicon.svg", "/touch-icon.png", "/robots.txt", "/pictures/moka-pot.svg"])(
    "%s is served",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).not.toContain("html");
    },
  );

  test.each([
    "/api",
    "/api/nothing",
    "/assets/nothing.js",
    "/pictures/nothing.svg",
    "/assets/../../package.json",
    "/pictures/%2e%2e/index.html",
  ])("%s is a 404 problem, never the page", async (path) => {
    const { port } = new URL(shop.url);
    expect((await rawGet(path, `localhost:${port}`)).status).toBe(404);
  });

  test.each(["/%61pi/nope", "/api%2fnope", "//api/nope", "/\\\\api/nope"])(
    "the encoded path %s is not the page either",
    async (path) => {
      const { port } = new URL(shop.url);
      expect((await rawGet(path, `localhost:${port}`)).status).toBe(404);
    },
  );

  test("a path that cannot be decoded is answered with a problem document", async () => {
    const response = await get("/api/orders/%ff");
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ code: "malformed" });
  });

  test.each([{ range: "bytes=99999999-" }, { "if-match": '"x"' }])(
    "unusual conditional headers (%j) cause no server error",
    async (headers) => {
      const response = await get("/pictures/moka-pot.svg", headers);
      expect(response.status).toBe(400);
      expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
    },
  );

  test("POST to an unknown path is a 404 problem", async () => {
    const response = await fetch(`${shop.url}/api/nothing`, { method: "POST" });
    expect(response.status).toBe(404);
    expect(await problemOf(response)).toMatchObject({ code: "not_found" });
  });

  test.each([
    ["DELETE", "/api/items", "GET, HEAD"],
    ["GET", "/api/orders", "POST"],
    ["PUT", "/api/orders?x=1", "POST"],
    ["POST", "/api/admin/items/mug", "DELETE, PATCH, PUT"],
    ["DELETE", "/api/admin/orders/1/transitions", "POST"],
    ["POST", "/livez", "GET, HEAD"],
    ["POST", "/assets/x.js", "GET, HEAD"],
    ["POST", "/checkout", "GET, HEAD"],
  ])("%s %s is 405 with an Allow header", async (method, path, allowed) => {
    const response = await fetch(shop.url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
    expect(await problemOf(response)).toMatchObject({ code: "method_not_allowed" });
  });

  test("with unknown parameters are the same pages, and so is the list", async () => {
    expect((await get("/?utm_source=email")).status).toBe(200);
    const [list, other] = [await get("/api/items"), await get("/api/items?utm_source=email")];
    expect(other.status).toBe(200);
    expect(await other.text()).toBe(await list.text());
    const withoutDate = ({ headers }: Response) => [...headers].filter(([name]) => name !== "date");
    expect(withoutDate(other)).toEqual(withoutDate(list));
  });

  test.each(["/api/me", "/api/admin/orders", "/api/admin/items", "/api/admin/payment-issues"])(
    "%s rejects an unknown parameter",
    async (path) => {
      const response = await get(`${path}?colour=red`, { authorization: `Bearer ${shop.token}` });
      expect(response.status).toBe(422);
      expect((await problemOf(response)).errors).toEqual([
        { path: "colour", message: "is not a parameter of this request" },
      ]);
    },
  );

  test("carry the security headers", async () => {
    const { headers } = await get("/");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    // WebKit logs an error for this directive, which is not needed.
    expect(policy).not.toContain("manifest-src");
    expect(policy).not.toContain("upgrade-insecure-requests");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test.each([paths.items, paths.lenderAccount, `${paths.orders}/none`])(
    "of data carry the headers for data: %s",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    },
  );

  test("requested under another loopback name are redirected to the shop's own", async () => {
    const { port } = new URL(shop.url);
    expect(await rawGet("/order?orderId=1", `127.0.0.1:${port}`)).toEqual({
      status: 307,
      location: `${shop.url}/order?orderId=1`,
    });
    expect((await rawGet("//evil.example/", `127.0.0.1:${port}`)).location).toBe(
      `${shop.url}/evil.example/`,
    );
    expect((await rawGet("/", `localhost:${port}`)).status).toBe(200);
    for (const path of ["/api/items", "/livez", "/readyz", "/metrics"]) {
      expect((await rawGet(path, `127.0.0.1:${port}`)).status).not.toBe(307);
    }
  });

  test("an https shop gets HSTS and upgrade-insecure-requests", async () => {
    await using secure = await startShop({ config: { publicUrl: "https://shop.example" } });
    const port = secure.url.split(":").at(-1);
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
    expect(headers.get("content-security-policy")).toContain("wss://shop.example");
    const data = await fetch(`http://127.0.0.1:${port}${paths.items}`);
    expect(data.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });
});

describe("for operators", () => {
  test("/livez and /readyz answer", async () => {
    expect(await (await get("/livez")).json()).toEqual({ status: "ok" });
    const ready = await waitFor("the provider to be known", async () => {
      await get("/api/me");
      const body = await (await get("/readyz")).json();
      return Reflect.get(Object(body), "provider") === "ok" && body;
    });
    expect(ready).toEqual({
      status: "ok",
      database: "ok",
      bus: "ok",
      provider: "ok",
    });
  });

  test("an unreachable provider is reported, and the server stays ready", async () => {
    await using shop = await startShop();
    await shop.sandbox.outage("down");
    await waitFor("the provider's state away", async () => {
      await fetch(`${shop.url}/api/me`);
      const response = await fetch(`${shop.url}/readyz`);
      expect(response.status).toBe(200);
      const body = await response.json();
      expect(body).toMatchObject({ status: "ok" });
      return body.provider === "away";
    });
  });

  test("/metrics needs its token", async () => {
    expect((await get("/metrics")).status).toBe(401);
    expect((await get("/metrics", { authorization: "Bearer wrong" })).status).toBe(401);
    const response = await get("/metrics", { authorization: "Bearer metrics-token" });
    const text = await response.text();
    for (const line of [
      /^keepsats_items_served_total \d+$/m,
      /^keepsats_database_up 1$/m,
      /^keepsats_database_queries_total [1-9]/m,
      /^keepsats_database_seconds_total \d+\.\d+$/m,
      /^keepsats_bus_connected 1$/m,
      /^keepsats_bus_lag_seconds 0$/m,
      /^keepsats_reconcile_lag_seconds \d/m,
      /^keepsats_subscribers 0$/m,
      /^keepsats_order_to_paid_seconds_count 0$/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
    ]) {
      expect(text).toMatch(line);
    }
  });

  test("/metrics does not exist when no token is set", async () => {
    await using plain = await startShop({ config: { metricsToken: undefined } });
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404);
  });

  test("the OpenAPI document names every route of the API", async () => {
    const document: { openapi: string; paths: Record<string, object> } = await (
      await get(paths.openapi)
    ).json();
    expect(document.openapi).toBe("3.1.0");
    const { admin, auth: _auth, openapi: _, ...customer } = paths;
    const all = [...Object.values(customer), ...Object.values(admin)];
    expect(Object.keys(document.paths).toSorted()).toEqual(
      all.map((path) => path.replaceAll(/:(\w+)/g, "{$1}")).toSorted(),
    );
    expect(JSON.stringify(document.paths[paths.orders])).toContain("customer_email");
  });

  test("a forwarded header from an untrusted proxy is logged once", async () => {
    await get("/livez", { "x-forwarded-for": "1.2.3.4" });
    await get("/livez", { "x-forwarded-for": "1.2.3.4" });
    expect(shop.logs.filter((line) => line.includes("TRUST_PROXY"))).toHaveLength(1);
  });
});
