import { paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeskConfig } from "../apps/server/src/desk-config.ts";
import { placeOrder } from "./harness/client.ts";
import { deskBrowser, deskConfig } from "./harness/desk.ts";
import { runMerchant } from "./harness/run-merchant.ts";
import { type Shop, startShop } from "./harness/shop.ts";

let shop: Shop;
let desk: DeskConfig;
beforeAll(async () => {
  desk = await deskConfig();
  shop = await startShop({ config: { desk }, mail: true });
});
afterAll(() => shop.close());

const run = (...args: string[]) => runMerchant(shop, args);
const linkIn = (text: string) => /http:\S+/.exec(text)?.[0] ?? "";

/** The name of whoever a printed link signs in. */
async function nameBehind(text: string): Promise<unknown> {
  const browser = deskBrowser(desk);
  await browser.signIn(linkIn(text));
  const { body } = await browser.call("GET", paths.desk.session);
  return Reflect.get(Object(Reflect.get(Object(body), "staff")), "name");
}

test("a link signs in an owner, or the member of staff whom it names", async () => {
  expect((await run("staff", "list")).out).toContain("Nobody yet.");
  const made = await run("desk");
  expect(made.out).toMatch(
    /^http:\/\/localhost:\d+\/sign-in#[\w-]{43}\nThe link works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  expect(await nameBehind(made.out)).toBe("Owner");
  const invited = await run("staff", "invite", "Grace", "--role", "staff");
  expect(await nameBehind(invited.out)).toBe("Grace");
  expect(await nameBehind((await run("desk", "grace")).out)).toBe("Grace");
  expect(JSON.parse((await run("desk", "Grace", "--json")).out)).toEqual({
    link: expect.stringContaining(desk.url),
    expires_at: expect.any(Number),
  });
  expect(await run("desk", "Nobody")).toMatchObject({ code: 3 });
});

test("an invitation is mailed, with a link that works", async () => {
  const invited = await run(
    "staff",
    "invite",
    "Ada",
    "--role",
    "owner",
    "--email",
    "ada@shop.example",
  );
  expect(invited.out).toContain("It was mailed too.");
  const letter = shop.lender.letters().find(({ recipient }) => recipient === "ada@shop.example");
  const text = letter?.text ?? "";
  expect(text).toContain("It works once, within three days.");
  expect(linkIn(text)).toBe(linkIn(invited.out));
  expect(await nameBehind(text)).toBe("Ada");
  const listed = JSON.parse((await run("staff", "list", "--json")).out);
  expect(listed).toContainEqual(
    expect.objectContaining({ name: "Ada", email: "ada@shop.example", role: "owner", passkeys: 0 }),
  );
});

test("a name that is in use is refused, and so is a role that there is not", async () => {
  await run("staff", "invite", "Edsger", "--role", "staff");
  expect(await run("staff", "invite", "EDSGER", "--role", "staff")).toMatchObject({ code: 4 });
  expect(await run("staff", "invite", "Alan", "--role", "boss")).toMatchObject({ code: 2 });
});

test("sessions are listed and ended, and staff withdrawn", async () => {
  const { out } = await run("staff", "invite", "Barbara", "--role", "staff");
  const browser = deskBrowser(desk);
  await browser.signIn(linkIn(out));
  const line =
    (await run("sessions", "list")).out.split("\n").find((row) => row.includes("Barbara")) ?? "";
  const [id = ""] = line.split(" ");
  expect(id).toMatch(/^[\w-]{8}$/);
  expect(await run("sessions", "end", id)).toMatchObject({
    code: 0,
    out: "The session of Barbara is ended.\n",
  });
  expect((await browser.call("GET", paths.desk.session)).status).toBe(401);
  expect(await run("sessions", "end", id)).toMatchObject({ code: 3 });
  expect((await run("staff", "withdraw", "barbara")).out).toBe(
    "Barbara is withdrawn and signed out everywhere.\n",
  );
  expect(await run("staff", "withdraw", "Barbara")).toMatchObject({ code: 3 });
  expect((await run("staff", "list")).out).not.toContain("Barbara");
});

test("what somebody does at the desk stands in the order's history under their name", async () => {
  const { out } = await run("staff", "invite", "Katherine", "--role", "staff");
  const browser = deskBrowser(desk);
  await browser.signIn(linkIn(out));
  const { id } = await placeOrder(shop);
  const noted = await browser.call("POST", withId(paths.merchant.notes, id), { text: "Gift wrap" });
  expect(noted.status, JSON.stringify(noted.body)).toBeLessThan(300);
  const events = await shop.database.db
    .selectFrom("order_events")
    .select(["by", "by_name"])
    .where("order_id", "=", id)
    .execute();
  expect(events).toContainEqual({ by: "merchant", by_name: "Katherine" });
});
