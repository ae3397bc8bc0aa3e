import { paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../apps/merchant/src/cli.ts";
import { merchant, paidOrder } from "./harness/client.ts";
import { type Shop, startShop } from "./harness/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** Runs a command with a token. @returns what it writes */
async function run(args: readonly string[], token = shop.token): Promise<string> {
  const lines: string[] = [];
  await runCommand(args, {
    env: { SHOP_URL: shop.url, MERCHANT_TOKEN: token },
    write: (line) => lines.push(line),
    progress: () => {},
    columns: 120,
  });
  return lines.join("\n");
}

test("a token is made, listed, used and withdrawn on the command line, and its name is in the order's history", async () => {
  const made = await run(["tokens", "new", "till 2", "--role", "staff"]);
  const [token = ""] = made.split("\n");
  expect(token).toMatch(/^keepsats_[\w-]{43}$/);
  expect(await run(["tokens", "list"])).toMatch(/till 2 +staff +\S+ \S+ +merchant +never$/m);

  const { id } = await paidOrder(shop);
  await run(["orders", "ship", id], token);
  const [event] = await shop.database.db
    .selectFrom("order_events")
    .select(["by", "by_name"])
    .where("order_id", "=", id)
    .where("to_status", "=", "Shipped")
    .execute();
  expect(event).toEqual({ by: "merchant", by_name: "till 2" });
  expect(await run(["tokens", "list"])).not.toContain("never");

  expect(await run(["tokens", "withdraw", "till 2"])).toBe("The token till 2 is withdrawn.");
  await expect(run(["orders", "list"], token)).rejects.toMatchObject({ exitCode: 5 });
  expect(await run(["tokens", "list"])).toBe("No tokens but that of the settings.");
});

test("the commands about tokens refuse what is wrong, with an exit code that says so", async () => {
  const made = await run(["tokens", "new", "till 3", "--role", "staff", "--json"]);
  const { token } = JSON.parse(made);
  await expect(run(["tokens", "list"], token)).rejects.toMatchObject({ exitCode: 4 });
  await expect(run(["tokens", "new", "till 3", "--role", "staff"])).rejects.toMatchObject({
    exitCode: 4,
    message: 'There is a token named "till 3" already.',
  });
  await expect(run(["tokens", "new", "till 4"])).rejects.toMatchObject({ exitCode: 2 });
  await expect(run(["tokens", "new", "till\u0000", "--role", "staff"])).rejects.toMatchObject({
    exitCode: 2,
  });
  await expect(run(["tokens", "withdraw", "till 5"])).rejects.toMatchObject({ exitCode: 3 });
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
