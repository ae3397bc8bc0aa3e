import { paths } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { startShop } from "./harness/shop.ts";
import { merchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";

const shop = useResource(() => startShop({ config: { metricsToken: "a-token-of-the-metrics" } }));

test("an owner reads what the machine's settings are, without secrets", async () => {
  const { status, body } = await merchant(shop, "GET", paths.merchant.machine);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: "1.2.3",
    commit: "0123abc",
    node: process.versions.node,
    database: "sqlite",
    bus: "memory",
    started_at: expect.any(Number),
  });
  const { settings } = Object(body);
  expect(settings).toContainEqual({
    name: "PUBLIC_URL",
    value: shop.url,
    secret: false,
    set: true,
  });
  expect(settings).toContainEqual({ name: "METRICS_TOKEN", value: null, secret: true, set: true });
  const text = JSON.stringify(body);
  for (const hidden of [shop.token, "a-token-of-the-metrics"]) expect(text).not.toContain(hidden);
});

test("the metrics name version and commit, but no public response does", async () => {
  const at = async (path: string) => {
    const headers = { authorization: "Bearer a-token-of-the-metrics" };
    return (await fetch(`${shop.url}${path}`, { headers })).text();
  };
  expect(await at("/metrics")).toContain(
    'keepsats_build_info{version="1.2.3",commit="0123abc"} 1\n',
  );
  for (const path of ["/", "/livez", "/readyz", "/api/items", "/api/current_user"])
    expect(await at(path)).not.toMatch(/1\.2\.3|0123abc/);
});

test("staff do not read them, and nobody without a token", async () => {
  const created = await merchant(shop, "POST", paths.merchant.tokens, {
    name: "till",
    role: "staff",
  });
  const staff = { ...shop, token: Object(created.body).token };
  expect((await merchant(staff, "GET", paths.merchant.machine)).status).toBe(403);
  expect((await merchant({ ...shop, token: "wrong" }, "GET", paths.merchant.machine)).status).toBe(
    401,
  );
});
