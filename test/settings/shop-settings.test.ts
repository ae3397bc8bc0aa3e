import { createHash } from "node:crypto";
import {
  expectedVersionHeader,
  type PageConfig,
  pageConfigSchema,
  paths,
  shopSettingsAnswerSchema,
} from "@keepsats/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() =>
  startShop({
    config: { shopName: "First", shopContact: "help@shop.example", sampleCatalogue: false },
  }),
);
beforeEach(async () => {
  await put({
    name: "First",
    contact: "help@shop.example",
    accent: "#f7931a",
    logo: null,
    intro: null,
    delivery: null,
    returns: null,
    terms: null,
    privacy: null,
    greeting: null,
    signature: null,
  });
});

const put = (settings: object) => callAdminApi(shop, "PUT", paths.admin.settings, settings);
const textOf = (name: string) => fetch(`${shop.url}/api/shop/texts/${name}`);

/**
 * The page as it is served: its HTML, its settings, its policy and the inline styles that the
 * policy allows.
 */
async function page(path = "/") {
  const response = await fetch(`${shop.url}${path}`);
  const html = await response.text();
  const [, json = ""] = /id="keepsats-config">([^<]*)</.exec(html) ?? [];
  const config: PageConfig = pageConfigSchema.parse(JSON.parse(json));
  const policy = response.headers.get("content-security-policy") ?? "";
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = ""]) => text);
  const allowed = styles.filter((style) =>
    policy.includes(`'sha256-${createHash("sha256").update(style).digest("base64")}'`),
  );
  return { html, config, styles, allowed };
}

describe("the page as it is served", () => {
  test("has a tagline where the shop has one, and a new shop has none", async () => {
    const paragraphs = async () =>
      [...(await page()).html.matchAll(/<p class="[^"]*max-w-prose[^"]*">([^<]*)<\/p>/g)].map(
        ([, text]) => text,
      );
    expect(await paragraphs()).toEqual([]);
    expect((await page()).config).not.toHaveProperty("tagline");
    await put({ tagline: 'Made to last & "paid"' });
    expect(await paragraphs()).toEqual(["Made to last &#38; &#34;paid&#34;"]);
    expect((await page()).config.tagline).toBe('Made to last & "paid"');
    await put({ tagline: null });
    expect(await paragraphs()).toEqual([]);
  });

  test("has the intro above the products where the shop has one, with its paragraphs", async () => {
    const intro = async () => />([^<]*)<\/p><\/div>/.exec((await page()).html)?.[1];
    expect(await intro()).toBeUndefined();
    await put({ intro: "Handmade & <b>bold</b>\r\n\r\nSince 1998" });
    expect(await intro()).toBe("Handmade &#38; &#60;b&#62;bold&#60;/b&#62;\n\nSince 1998");
    const { html, config } = await page();
    expect(config.intro).toBe("Handmade & <b>bold</b>\n\nSince 1998");
    expect(html.indexOf("Since 1998")).toBeLessThan(html.indexOf("Your Cart"));
    await put({ intro: null });
    expect((await page()).config).not.toHaveProperty("intro");
    expect(await put({ intro: "x".repeat(2_001) })).toMatchObject({ status: 422 });
  });

  test("of the sample shop has its tagline until it is changed", async () => {
    await using sample = await startShop({ config: { sampleCatalogue: true } });
    const html = await (await fetch(sample.url)).text();
    expect(html).toContain(
      ">Made to last. Pay with a loan against your bitcoin instead of selling it.</p>",
    );
  });

  test("has the current settings on every screen", async () => {
    await put({
      name: "Second",
      logo: "/pictures/moka-pot.svg",
      terms: "Our terms",
      delivery: "https://shop.example/delivery",
    });
    for (const path of ["/", "/checkout", "/order"]) {
      const { html, config } = await page(path);
      expect(html).toContain("<title>Second</title>");
      expect(html).toContain('<img src="/pictures/moka-pot.svg"');
      expect(html).toContain('<link rel="icon" href="/pictures/moka-pot.svg"');
      expect(html).not.toContain("__SHOP");
      expect(config).toMatchObject({
        shopName: "Second",
        logo: "/pictures/moka-pot.svg",
        contact: "help@shop.example",
        texts: [{ name: "delivery", url: "https://shop.example/delivery" }, { name: "terms" }],
      });
    }
  });

  test("has the accent colour in a style that its policy allows, and none by default", async () => {
    const own = await page();
    expect(own.styles.join()).not.toContain(":root{--color-accent:");
    await put({ accent: "#3AA6FF" });
    for (const path of ["/", "/checkout", "/order"]) {
      const { styles, allowed } = await page(path);
      expect(styles).toContain(":root{--color-accent:#3aa6ff}");
      expect(allowed).toEqual(styles);
    }
    await put({ accent: "#7a1f1f" });
    const { styles, allowed } = await page();
    expect(styles.join()).toContain("--color-accent:#7a1f1f;--color-on-accent:#ffffff;");
    expect(allowed).toEqual(styles);
  });

  test("is the same in every encoding after a change", async () => {
    await put({ name: "Packed" });
    const [plain, ...packed] = await Promise.all(
      ["identity", "br", "gzip"].map(async (encoding) =>
        (await fetch(shop.url, { headers: { "accept-encoding": encoding } })).text(),
      ),
    );
    expect(plain).toContain("Packed");
    expect(packed).toEqual([plain, plain]);
  });

  test("shows HTML in a setting as it is written", async () => {
    const hostile = `</script><img src=x onerror=alert(1)>'"--><b>`;
    await put({ name: hostile.slice(0, 60), terms: hostile, logo: `/a'b.svg` });
    const { html, config } = await page();
    expect(config.shopName).toBe(hostile);
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain("</script><img");
    expect(await (await textOf("terms")).json()).toEqual({ text: hostile });
  });
});

describe("texts of the footer", () => {
  test("that are no web address, such as javascript:alert(1), are not links", async () => {
    await put({
      terms: "javascript:alert(1)",
      privacy: "data:text/html,<script>alert(1)</script>",
    });
    const { config } = await page();
    expect(config.texts).toEqual([{ name: "terms" }, { name: "privacy" }]);
    expect(await (await textOf("terms")).json()).toEqual({ text: "javascript:alert(1)" });
  });

  test("are answered with their line breaks; a link, a missing text and an unknown name are not found", async () => {
    await put({ terms: "One\r\n\r\nTwo", returns: "https://shop.example/returns" });
    expect(await (await textOf("terms")).json()).toEqual({ text: "One\n\nTwo" });
    for (const name of ["returns", "privacy", "name", "accent", "greeting", "x"])
      expect((await textOf(name)).status).toBe(404);
  });
});

describe("the admin API", () => {
  test("returns who changed a setting and when", async () => {
    await put({ greeting: "Hello" });
    const { body } = await callAdminApi(shop, "GET", paths.admin.settings);
    expect(body).toMatchObject({
      settings: {
        greeting: { value: "Hello", changed_by: "admin", changed_at: expect.any(Number) },
        accent: { value: "#f7931a" },
      },
    });
  });

  test("returns each error of a request, and stores nothing of it", async () => {
    const refused = await put({ name: "Half", accent: "red" });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "invalid", errors: [{ path: "accent" }] },
    });
    expect((await page()).config.shopName).toBe("First");
  });

  test.each(["Europe/Atlantis", "PST", "+01:00", ""])(
    "refuses the time zone %j, which does not exist",
    async (time_zone) => {
      const refused = await put({ name: "Half", time_zone });
      expect(refused).toMatchObject({
        status: 422,
        body: {
          errors: [
            {
              path: "time_zone",
              message: "must be the name of a time zone, such as Europe/Berlin",
            },
          ],
        },
      });
    },
  );

  test.each([
    { contact: "javascript:alert(1)" },
    { logo: "javascript:alert(1)" },
    { logo: "//evil.example/x" },
  ])("refuses %j, which is no web address", async (patch) => {
    expect(await put(patch)).toMatchObject({ status: 422, body: { code: "invalid" } });
  });

  test("accepts only a logo that the shop has", async () => {
    for (const logo of ["/pictures/no-such.svg", `/pictures/${"0".repeat(32)}-400`]) {
      const refused = await put({ name: "Half", logo });
      expect(refused, logo).toMatchObject({
        status: 422,
        body: {
          errors: [
            { path: "logo", message: expect.stringContaining("a picture that the shop has") },
          ],
        },
      });
    }
    const { config } = await page();
    expect([config.shopName, config.logo]).toEqual(["First", undefined]);
    for (const logo of ["/pictures/moka-pot.svg", "/favicon.svg", "https://cdn.example/logo.png"])
      expect((await put({ logo })).status, logo).toBe(200);
  });

  test("refuses a change with an outdated version", async () => {
    const versioned = (settings: object, version: string) =>
      callAdminApi(shop, "PUT", paths.admin.settings, settings, {
        [expectedVersionHeader]: version,
      });
    const { body } = await callAdminApi(shop, "GET", paths.admin.settings);
    const { version } = shopSettingsAnswerSchema.parse(body);
    const stored = await versioned({ name: "One" }, version);
    expect(stored).toMatchObject({
      status: 200,
      body: { version: expect.not.stringMatching(version) },
    });
    expect(await versioned({ greeting: "Late" }, version)).toMatchObject({
      status: 409,
      body: { code: "settings_changed", detail: expect.stringContaining("Read them again") },
    });
    expect(await versioned({ greeting: "Late" }, "")).toMatchObject({
      status: 422,
      body: { errors: [{ path: "Expected-Version" }] },
    });
    const now = await callAdminApi(shop, "GET", paths.admin.settings);
    expect(now.body).toMatchObject({
      settings: { name: { value: "One" }, greeting: { value: null } },
    });
  });

  test("needs the token", async () => {
    const response = await fetch(`${shop.url}${paths.admin.settings}`);
    expect(response.status).toBe(401);
  });
});
