import { paths } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop({ config: { metricsToken: "a-token-of-the-metrics" } }));

test("an owner reads the server's settings, without secrets", async () => {
  const { status, body } = await callAdminApi(shop, "GET", paths.admin.serverSettings);
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

test("the metrics contain version and commit, and no public response does", async () => {
  expect(await shop.metrics()).toContain(
    'keepsats_build_info{version="1.2.3",commit="0123abc"} 1\n',
  );
  for (const path of ["/", "/livez", "/readyz", "/api/items", "/api/current_user"])
    expect(await (await fetch(`${shop.url}${path}`)).text()).not.toMatch(/1\.2\.3|0123abc/);
});

test("staff and requests without a token are refused", async () => {
  const created = await callAdminApi(shop, "POST", paths.admin.tokens, {
    name: "till",
    role: "staff",
  });
  const staff = { ...shop, token: Object(created.body).token };
  expect((await callAdminApi(staff, "GET", paths.admin.serverSettings)).status).toBe(403);
  expect(
    (await callAdminApi({ ...shop, token: "wrong" }, "GET", paths.admin.serverSettings)).status,
  ).toBe(401);
});
