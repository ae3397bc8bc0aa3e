import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { paidOrder } from "./harness/customer.ts";
import { startShop } from "./harness/shop.ts";
import { deskBrowser, merchant, runMerchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";

const shop = useResource(() => startShop({ desk: true }));

const run = (args: readonly string[], token = shop.token) => runMerchant(shop, args, { token });

test("the command for a sign-in link prints one that signs an owner in, once", async () => {
  const { out } = await run(["desk"]);
  expect(out).toMatch(
    /^http:\/\/localhost:\d+\/sign-in#[\w-]{43}\nThe link works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  const browser = deskBrowser(shop.desk);
  await browser.signIn(out.split("\n")[0] ?? "");
  const { body } = await browser.call("GET", paths.desk.session);
  expect(body).toMatchObject({ staff: { name: "Owner" } });
  expect(JSON.parse((await run(["desk", "--json"])).out)).toEqual({
    link: expect.stringContaining(shop.desk.url),
    expires_at: expect.any(Number),
  });
});

test("a token is made, listed, used and withdrawn on the command line, and its name is in the order's history", async () => {
  const made = await run(["tokens", "new", "till 2", "--role", "staff"]);
  const [token = ""] = made.out.split("\n");
  expect(token).toMatch(/^keepsats_[\w-]{43}$/);
  expect((await run(["tokens", "list"])).out).toMatch(/till 2 +staff +\S+ \S+ +merchant +never$/m);

  const { id } = await paidOrder(shop);
  await run(["orders", "ship", id], token);
  const [event] = await shop.database.db
    .selectFrom("order_events")
    .select(["by", "by_name"])
    .where("order_id", "=", id)
    .where("to_status", "=", "Shipped")
    .execute();
  expect(event).toEqual({ by: "merchant", by_name: "till 2" });
  expect((await run(["tokens", "list"])).out).not.toContain("never");

  expect((await run(["tokens", "withdraw", "till 2"])).out).toBe(
    "The token till 2 is withdrawn.\n",
  );
  expect(await run(["orders", "list"], token)).toMatchObject({ code: 5 });
  expect((await run(["tokens", "list"])).out).toBe("No tokens but that of the settings.\n");
});

test("the commands about tokens refuse what is wrong, with an exit code that says so", async () => {
  const made = await run(["tokens", "new", "till 3", "--role", "staff", "--json"]);
  const { token } = JSON.parse(made.out);
  expect(await run(["tokens", "list"], token)).toMatchObject({ code: 4 });
  expect(await run(["tokens", "new", "till 3", "--role", "staff"])).toMatchObject({
    code: 4,
    err: 'There is a token named "till 3" already.',
  });
  expect(await run(["tokens", "new", "till 4"])).toMatchObject({ code: 2 });
  expect(await run(["tokens", "new", "till\u0000", "--role", "staff"])).toMatchObject({
    code: 2,
  });
  expect(await run(["tokens", "withdraw", "till 5"])).toMatchObject({ code: 3 });
});

test("a token is shown once, and never again", async () => {
  const created = await merchant(shop, "POST", paths.merchant.tokens, {
    name: "till 6",
    role: "owner",
  });
  expect(created.status).toBe(201);
  const { id, token } = Object(created.body);
  const listed = await merchant({ ...shop, token }, "GET", paths.merchant.tokens);
  expect(JSON.stringify(listed.body)).toContain(id);
  expect(JSON.stringify(listed.body)).not.toContain(token);
  expect((await merchant(shop, "DELETE", withId(paths.merchant.token, "none"))).status).toBe(404);
  expect((await merchant(shop, "DELETE", withId(paths.merchant.token, id))).status).toBe(200);
  expect((await merchant({ ...shop, token }, "GET", paths.merchant.orders)).status).toBe(401);
});

test("wrong tokens are limited, while right ones go on working", async () => {
  const wrong = () => merchant({ ...shop, token: "wrong" }, "GET", paths.merchant.orders);
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await wrong()).status);
  expect(statuses.at(-1)).toBe(429);
  const { body } = await merchant(shop, "POST", paths.merchant.tokens, {
    name: "till 7",
    role: "staff",
  });
  expect(
    (await merchant({ ...shop, token: Object(body).token }, "GET", paths.merchant.orders)).status,
  ).toBe(200);
});
