import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { paidOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { adminBrowser, callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop({ admin: true }));

const run = (line: string, token = shop.token) => runCli(shop, line, { token });

test("requests without a token are refused", async () => {
  for (const path of ["/api/admin/orders", "/api/admin/items", "/api/admin/payment-issues"]) {
    expect((await fetch(`${shop.url}${path}`)).status).toBe(401);
  }
});

test("the command for a sign-in link prints a link that signs an owner in once", async () => {
  const { out } = await run("admin");
  expect(out).toMatch(
    /^http:\/\/localhost:\d+\/sign-in#[\w-]{43}\nThe link works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  const browser = adminBrowser(shop.admin);
  await browser.signIn(out.split("\n")[0] ?? "");
  const { body } = await browser.call("GET", paths.auth.session);
  expect(body).toMatchObject({ staff: { name: "Owner" } });
  expect(JSON.parse((await run("admin --json")).out)).toEqual({
    link: expect.stringContaining(shop.admin.url),
    expires_at: expect.any(Number),
  });
});

test("a token is created, listed, used and revoked, and its name is in the order's history", async () => {
  const made = await run('tokens new "till 2" --role staff');
  const [token = ""] = made.out.split("\n");
  expect(token).toMatch(/^keepsats_[\w-]{43}$/);
  expect((await run("tokens list")).out).toMatch(/till 2 +staff +\S+ \S+ +admin +never$/m);

  const { id } = await paidOrder(shop);
  await run(`orders ship ${id}`, token);
  const [event] = await shop.database.db
    .selectFrom("order_events")
    .select(["by", "by_name"])
    .where("order_id", "=", id)
    .where("to_status", "=", "Shipped")
    .execute();
  expect(event).toEqual({ by: "staff", by_name: "till 2" });
  expect((await run("tokens list")).out).not.toContain("never");

  expect((await run('tokens revoke "till 2"')).out).toBe("The token till 2 is revoked.\n");
  expect(await run("orders list", token)).toMatchObject({ code: 5 });
  expect((await run("tokens list")).out).toBe("No tokens except ADMIN_TOKEN.\n");
});

test("invalid token commands fail with an exit code for the reason", async () => {
  const made = await run('tokens new "till 3" --role staff --json');
  const { token } = JSON.parse(made.out);
  expect(await run("tokens list", token)).toMatchObject({ code: 4 });
  expect(await run('tokens new "till 3" --role staff')).toMatchObject({
    code: 4,
    err: 'There is already a token named "till 3".',
  });
  expect(await run('tokens new "till 4"')).toMatchObject({ code: 2 });
  expect(await run("tokens new till\u0000 --role staff")).toMatchObject({
    code: 2,
  });
  expect(await run('tokens revoke "till 5"')).toMatchObject({ code: 3 });
});

test("a token is shown once, and never again", async () => {
  const created = await callAdminApi(shop, "POST", paths.admin.tokens, {
    name: "till 6",
    role: "owner",
  });
  expect(created.status).toBe(201);
  const { id, token } = Object(created.body);
  const listed = await callAdminApi({ ...shop, token }, "GET", paths.admin.tokens);
  expect(JSON.stringify(listed.body)).toContain(id);
  expect(JSON.stringify(listed.body)).not.toContain(token);
  expect((await callAdminApi(shop, "DELETE", withId(paths.admin.token, "none"))).status).toBe(404);
  expect((await callAdminApi(shop, "DELETE", withId(paths.admin.token, id))).status).toBe(200);
  expect((await callAdminApi({ ...shop, token }, "GET", paths.admin.orders)).status).toBe(401);
});

test("wrong tokens are rate-limited, while right ones still work", async () => {
  const wrong = () => callAdminApi({ ...shop, token: "wrong" }, "GET", paths.admin.orders);
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await wrong()).status);
  expect(statuses.at(-1)).toBe(429);
  const { body } = await callAdminApi(shop, "POST", paths.admin.tokens, {
    name: "till 7",
    role: "staff",
  });
  expect(
    (await callAdminApi({ ...shop, token: Object(body).token }, "GET", paths.admin.orders)).status,
  ).toBe(200);
});
