import { paths } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { sqlite } from "../harness/databases.ts";
import { useAdminShop } from "../staff/admin-shop.ts";

describe("the admin", () => {
  const { admin } = useAdminShop(sqlite);

  test.each(["identity", "gzip", "br"])(
    "its pages are served to a client that accepts %s",
    async (encoding) => {
      const headers = { "accept-encoding": encoding };
      for (const path of ["/", "/orders", "/orders/"]) {
        const page = await fetch(admin.url + path, { headers });
        expect([path, page.status, page.headers.get("content-type")]).toEqual([
          path,
          200,
          "text/html; charset=utf-8",
        ]);
        expect((await fetch(admin.url + path, { method: "HEAD", headers })).status).toBe(200);
      }
    },
  );

  test("its pages cannot be framed, and its assets are cached", async () => {
    const page = await fetch(`${admin.url}/orders/some`);
    expect(await page.text()).toContain("<title>Admin</title>");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cache-control": "no-cache, no-transform",
    });
    const asset = await fetch(`${admin.url}/assets/app-12345678.js`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await fetch(`${admin.url}/assets/gone-12345678.js`)).status).toBe(404);
    expect((await fetch(`${admin.url}/api/none`)).status).toBe(404);
    const elsewhere = await fetch(`http://127.0.0.1:${admin.port}/x`, { redirect: "manual" });
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([307, `${admin.url}/x`]);
    const session = await fetch(`${admin.url}${paths.auth.session}`);
    expect(session.headers.get("cache-control")).toBe("no-store");
  });
});
