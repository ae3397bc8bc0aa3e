import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { currentSessionSchema, paths, staffSessionsSchema, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminConfig } from "../../apps/server/src/config/admin-config.ts";
import { readDatabase } from "../../apps/server/src/config/config.ts";
import { createAuthenticator } from "../harness/authenticator.ts";
import { databaseKinds, type TestDatabase } from "../harness/databases.ts";
import { adminConfig, type Shop, startShop } from "../harness/shop.ts";
import {
  type AdminBrowser,
  adminBrowser,
  callAdminApi,
  inviteStaff,
  newLink,
  openLive,
  ownerBrowser,
  refusedLive,
  secretOf,
} from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";
import { addPasskey, codeOf, field, passkeySignIn, useAdminShop } from "./admin-shop.ts";

const WEEK = 7 * 24 * 60 * 60_000;
describe.each(databaseKinds)("signing in to the admin on $name", (kind) => {
  const { shop, admin, aName, signedIn } = useAdminShop(kind);

  test("a link works once, and the session shows who is signed in", async () => {
    const name = aName();
    const { id, link } = await inviteStaff(shop, name);
    expect(link).toMatch(new RegExp(`^${admin.url}/sign-in#[\\w-]{43}$`));
    const browser = adminBrowser(admin);
    const answer = await browser.call("POST", paths.auth.signIn, { link: secretOf(link) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^admin-\d+=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const session = currentSessionSchema.parse(
      (await browser.call("GET", paths.auth.session)).body,
    );
    expect(session).toMatchObject({
      staff: { id, name, email: null, role: "staff" },
      passkeys: [],
    });
    expect(session).toMatchObject({ shop_name: "Keepsats", shop_url: shop.url, shop_logo: null });

    const again = await adminBrowser(admin).call("POST", paths.auth.signIn, {
      link: secretOf(link),
    });
    expect(codeOf(again)).toEqual([401, "sign_in_refused"]);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test("of two sign-ins with one link at the same time, one succeeds", async () => {
    const { link } = await inviteStaff(shop, aName());
    const both = await Promise.all(
      [1, 2].map(() =>
        adminBrowser(admin).call("POST", paths.auth.signIn, { link: secretOf(link) }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test("looking up a link returns the name and the shop, and does not use the link", async () => {
    const name = aName();
    const { link } = await inviteStaff(shop, name);
    const scanner = adminBrowser(admin);
    const lookUp = () => scanner.call("POST", paths.auth.signInLink, { link: secretOf(link) });
    for (const answer of [await lookUp(), await lookUp()]) {
      expect(answer).toMatchObject({ status: 200, body: { name, shop_name: "Keepsats" } });
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    const elsewhere = { origin: "https://evil.example" };
    const foreign = await scanner.call(
      "POST",
      paths.auth.signInLink,
      { link: secretOf(link) },
      elsewhere,
    );
    expect(codeOf(foreign)).toEqual([403, "wrong_origin"]);
    await adminBrowser(admin).signIn(link);
    expect(codeOf(await lookUp()), "used").toEqual([401, "sign_in_refused"]);
  });

  test("signing in ends the session that the browser had before", async () => {
    const { id, browser } = await signedIn();
    const before = { cookie: browser.cookie };
    await browser.signIn(await newLink(shop, id));
    expect((await fetch(`${admin.url}${paths.auth.session}`, { headers: before })).status).toBe(
      401,
    );
    expect((await browser.call("GET", paths.auth.session)).status).toBe(200);
  });

  test("an expired link is refused", async () => {
    const { id, link } = await inviteStaff(shop, aName());
    const links = shop.database.db.updateTable("sign_in_links").where("staff_id", "=", id);
    await links.set({ expires_at: shop.database.now() - 1 }).execute();
    for (const path of [paths.auth.signInLink, paths.auth.signIn]) {
      const answer = await adminBrowser(admin).call("POST", path, { link: secretOf(link) });
      expect(codeOf(answer), path).toEqual([401, "sign_in_refused"]);
    }
  });

  test("a session ends after a week without use, and not if it was used", async () => {
    const { id, browser } = await signedIn();
    const sessions = shop.database.db.updateTable("staff_sessions").where("staff_id", "=", id);
    await sessions.set({ used_at: shop.database.now() - WEEK + 60_000 }).execute();
    expect((await browser.call("GET", paths.auth.session)).status).toBe(200);
    const row = shop.database.db
      .selectFrom("staff_sessions")
      .select("used_at")
      .where("staff_id", "=", id);
    expect((await row.executeTakeFirstOrThrow()).used_at).toBeGreaterThan(
      shop.database.now() - 60_000,
    );
    await sessions.set({ used_at: shop.database.now() - WEEK }).execute();
    expect(codeOf(await browser.call("GET", paths.auth.session))).toEqual([401, "unauthorized"]);
    expect(browser.cookie, "the cookie is removed").toBe("");
  });

  test("only hashes of secrets are stored", async () => {
    const { link } = await inviteStaff(shop, aName());
    const { browser } = await signedIn();
    const [, secret = ""] = browser.cookie.split("=");
    const links = await shop.database.db.selectFrom("sign_in_links").selectAll().execute();
    const sessions = await shop.database.db.selectFrom("staff_sessions").selectAll().execute();
    const stored = JSON.stringify([links, sessions]);
    expect(links.length * sessions.length).toBeGreaterThan(0);
    expect(stored).not.toContain(secretOf(link));
    expect(stored).not.toContain(secret);
  });

  test("requests from other origins change nothing", async () => {
    const { browser } = await signedIn();
    const { link } = await inviteStaff(shop, aName());
    const cross: Record<string, string>[] = [
      { origin: shop.url },
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of cross) {
      const signIn = await browser.call(
        "POST",
        paths.auth.signIn,
        { link: secretOf(link) },
        headers,
      );
      expect(codeOf(signIn), JSON.stringify(headers)).toEqual([403, "wrong_origin"]);
      expect(codeOf(await browser.call("DELETE", paths.auth.session, undefined, headers))).toEqual([
        403,
        "wrong_origin",
      ]);
      const token = await browser.call(
        "POST",
        paths.admin.tokens,
        { name: "x", role: "staff" },
        headers,
      );
      expect(codeOf(token)).toEqual([403, "wrong_origin"]);
    }
    const withoutOrigin = await fetch(`${admin.url}${paths.auth.session}`, {
      method: "DELETE",
      headers: { cookie: browser.cookie },
    });
    expect(withoutOrigin.status).toBe(403);
    expect((await browser.call("GET", paths.auth.session)).status).toBe(200);
    expect(await refusedLive(admin, { origin: shop.url, cookie: browser.cookie })).toBe(403);
    await adminBrowser(admin).signIn(link);
  });

  test("the shop's port refuses the session cookie, and the admin's port refuses tokens", async () => {
    const owner = await ownerBrowser(shop);
    expect((await owner.call("GET", paths.admin.orders)).status).toBe(200);
    const atShop = await fetch(`${shop.url}${paths.admin.orders}`, {
      headers: { cookie: owner.cookie },
    });
    expect(atShop.status).toBe(401);
    const atAdmin = await fetch(`${admin.url}${paths.admin.orders}`, {
      headers: { authorization: `Bearer ${shop.token}` },
    });
    expect(atAdmin.status).toBe(401);
  });

  test("the shop's port serves none of the admin's routes", async () => {
    const owner = await ownerBrowser(shop);
    for (const path of Object.values(paths.auth)) {
      const headers = { cookie: owner.cookie, "content-type": "application/json" };
      expect((await fetch(`${shop.url}${path}`, { headers })).status, path).toBe(404);
      expect(
        (await fetch(`${shop.url}${path}`, { method: "POST", headers, body: "{}" })).status,
        path,
      ).toBe(404);
    }
    expect(await refusedLive({ url: shop.url }, { origin: admin.url, cookie: owner.cookie })).toBe(
      404,
    );
  });

  test("a member of staff may change items, and is refused the routes of owners", async () => {
    const { browser } = await signedIn();
    const refused = await browser.call("GET", paths.admin.staff);
    expect(codeOf(refused)).toEqual([403, "permission_required"]);
    for (const path of [paths.admin.staff, paths.admin.signInLinks, paths.admin.tokens])
      expect((await browser.call("POST", path, {})).status, path).toBe(403);
    const item = {
      name: "Desk lamp",
      price: 5,
      description: "Bright",
      image_url: "https://x.example/l.jpg",
    };
    const made = await browser.call("PUT", withId(paths.admin.item, `lamp-${randomUUID()}`), item);
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  });

  test("a browser without a cookie gets 204 for its session", async () => {
    const nobody = await adminBrowser(admin).call("GET", paths.auth.session);
    expect([nobody.status, nobody.body]).toEqual([204, ""]);
    expect((await adminBrowser(admin).call("DELETE", paths.auth.session)).status).toBe(401);
  });

  test("signing out ends the session in the browser and on the server", async () => {
    const { browser } = await signedIn();
    const { cookie } = browser;
    expect((await browser.call("DELETE", paths.auth.session)).status).toBe(204);
    expect(browser.cookie).toBe("");
    const replayed = await fetch(`${admin.url}${paths.auth.session}`, { headers: { cookie } });
    expect(replayed.status).toBe(401);
  });

  test("staff list and end their own sessions, owners those of all staff", async () => {
    const one = await signedIn();
    const other = await signedIn();
    const listed = async (browser: AdminBrowser) =>
      staffSessionsSchema.parse((await browser.call("GET", paths.admin.sessions)).body).sessions;
    const [own, ...more] = await listed(one.browser);
    expect(more).toEqual([]);
    expect(own).toMatchObject({ staff_id: one.id, current: true });
    const [foreign] = await listed(other.browser);
    const path = withId(paths.admin.session, foreign?.id ?? "");
    expect((await one.browser.call("DELETE", path)).status).toBe(404);
    const owner = await ownerBrowser(shop);
    const all = (await listed(owner)).map(({ staff_id }) => staff_id);
    expect(all).toEqual(expect.arrayContaining([one.id, other.id, "owner"]));
    expect((await owner.call("DELETE", path)).status).toBe(200);
    expect((await other.browser.call("GET", paths.auth.session)).status).toBe(401);
    expect(
      (await one.browser.call("DELETE", withId(paths.admin.session, own?.id ?? ""))).status,
    ).toBe(200);
    expect((await one.browser.call("GET", paths.auth.session)).status).toBe(401);
  });

  test("revoking a member of staff ends their requests, sockets, links and passkeys at once", async () => {
    const { id, browser } = await signedIn();
    const device = createAuthenticator(admin.url);
    await addPasskey(browser, device);
    const live = await openLive(browser);
    const link = await newLink(shop, id);
    const { status } = await callAdminApi(shop, "DELETE", withId(paths.admin.staffMember, id));
    expect(status).toBe(200);
    expect((await browser.call("GET", paths.admin.orders)).status).toBe(401);
    expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
    expect(
      (await adminBrowser(admin).call("POST", paths.auth.signIn, { link: secretOf(link) })).status,
    ).toBe(401);
    expect((await passkeySignIn(adminBrowser(admin), device)).status).toBe(401);
    expect(await refusedLive(admin, { origin: admin.url, cookie: browser.cookie })).toBe(401);
  });

  /** What a revoked owner must not bring about, each with a body that comes late. */
  function changes(): readonly [string, string, unknown][] {
    const name = aName();
    const item = {
      id: `late-${randomUUID()}`,
      name,
      price: 5,
      description: "x",
      image_url: "https://x.example/x.png",
    };
    return [
      ["POST", paths.admin.tokens, { name, role: "owner" }],
      ["POST", paths.admin.staff, { name, role: "owner" }],
      ["POST", paths.admin.signInLinks, {}],
      ["POST", paths.admin.webhooks, { url: "https://evil.example/" }],
      ["PUT", paths.admin.settings, { greeting: "Revoked" }],
      ["POST", paths.admin.import, { items: [item] }],
    ];
  }

  /** The answers to {@link changes} whose bodies are sent after the sender was revoked. */
  async function answersTo(
    url: string,
    headers: Record<string, string>,
    revoke: () => Promise<unknown>,
  ) {
    const held = await Promise.all(
      changes().map(([method, path, body]) =>
        holdRequest(`${url}${path}`, { method, headers, body: JSON.stringify(body) }),
      ),
    );
    // Answered after the held requests were authorized.
    const known = await fetch(`${url}${paths.admin.orders}`, { headers });
    await revoke();
    const answers = await Promise.all(held.map((request) => request.finish()));
    return [known.status, ...answers.map(({ status }) => status)];
  }

  test("a request whose sender is revoked before its body arrives changes nothing", async () => {
    const { id, browser } = await signedIn("owner");
    const cookie = { cookie: browser.cookie, origin: admin.url };
    const revoke = () => callAdminApi(shop, "DELETE", withId(paths.admin.staffMember, id));
    expect(await answersTo(admin.url, cookie, revoke)).toEqual([200, ...changes().map(() => 401)]);

    const made = await callAdminApi(shop, "POST", paths.admin.tokens, {
      name: aName(),
      role: "owner",
    });
    const bearer = { authorization: `Bearer ${field(made.body, "token")}` };
    const tokenPath = withId(paths.admin.token, String(field(made.body, "id")));
    const statuses = await answersTo(shop.url, bearer, () =>
      callAdminApi(shop, "DELETE", tokenPath),
    );
    expect(statuses).toEqual([200, ...changes().map(() => 401)]);
  });

  test("names of staff are unique regardless of case, and some are reserved", async () => {
    const name = aName();
    await inviteStaff(shop, name);
    for (const taken of [name.toUpperCase(), "admin", "Admin", "owner"]) {
      const answer = await callAdminApi(shop, "POST", paths.admin.staff, {
        name: taken,
        role: "staff",
      });
      expect(codeOf(answer), taken).toEqual([409, "name_taken"]);
    }
  });

  test("malformed ids, also with a zero byte, are refused or not found", async () => {
    const owner = await ownerBrowser(shop);
    const link = await owner.call("POST", paths.admin.signInLinks, { staff_id: "\u0000" });
    expect(link.status).toBe(422);
    expect((await owner.call("POST", paths.admin.signInLinks, { staff_id: "nobody" })).status).toBe(
      404,
    );
    expect((await owner.call("DELETE", withId(paths.admin.session, "\u0000"))).status).toBe(404);
    expect((await owner.call("DELETE", withId(paths.auth.passkey, "\u0000"))).status).toBe(404);
    const secret = await adminBrowser(admin).call("POST", paths.auth.signIn, { link: "\u0000" });
    expect(secret.status).toBe(401);
    const passkey = { challenge_id: "\u0000", response: {} };
    expect((await adminBrowser(admin).call("POST", paths.auth.passkeySignIn, passkey)).status).toBe(
      422,
    );
  });
});

describe("two servers on one PostgreSQL", () => {
  let testDatabase: TestDatabase;
  let one: Shop;
  let other: Shop;
  let admins: readonly [AdminConfig, AdminConfig];
  beforeAll(async () => {
    const kind = databaseKinds.find(({ name }) => name === "PostgreSQL");
    if (kind === undefined) throw new Error("there is one");
    testDatabase = await kind.newTestDatabase();
    const database = readDatabase({ DATABASE_URL: testDatabase.url });
    admins = [await adminConfig(), await adminConfig()];
    // Sessions are re-read so seldom that only the bus can report their end in time.
    const times = { rereadInterval: 3_600_000 };
    one = await startShop({ config: { database, admin: admins[0] }, times });
    other = await startShop({ config: { database, admin: admins[1] }, times });
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await testDatabase.remove();
  });

  test("a session that ends on one loses its sockets on the other, which refuses it at once", async () => {
    const { id, link } = await inviteStaff(one, "Ada");
    const atOther = adminBrowser(admins[1]);
    await atOther.signIn(link);
    const live = await openLive(atOther);
    await callAdminApi(one, "DELETE", withId(paths.admin.staffMember, id));
    expect((await atOther.call("GET", paths.auth.session)).status).toBe(401);
    expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
  });
});

describe("the rate limits of an admin", () => {
  test("after too many invalid cookies, links and passkeys an address gets 429, but valid ones are accepted", async () => {
    const admin = await adminConfig();
    await using shop = await startShop({
      config: { admin },
      adminRoot: join(tmpdir(), "no-admin-is-built-here"),
    });
    const owner = await ownerBrowser(shop);
    const device = createAuthenticator(admin.url);
    await addPasskey(owner, device);
    const link = { link: secretOf(await newLink(shop)) };
    const stranger = createAuthenticator(admin.url);
    const wrong = {
      cookie: (name: string) =>
        adminBrowser(admin).call("GET", paths.auth.session, undefined, {
          cookie: `${name}=${"x".repeat(43)}`,
        }),
      link: () => adminBrowser(admin).call("POST", paths.auth.signIn, { link: "x".repeat(43) }),
      look: () => adminBrowser(admin).call("POST", paths.auth.signInLink, { link: "x".repeat(43) }),
      passkey: () => passkeySignIn(adminBrowser(admin), stranger),
    };
    const [cookieName = ""] = owner.cookie.split("=");
    for (const guess of [wrong.passkey, () => wrong.cookie(cookieName), wrong.link]) {
      for (let sent = 0; sent < 10; sent += 1) expect((await guess()).status).toBe(401);
      const over = await guess();
      expect(codeOf(over)).toEqual([429, "too_many"]);
      expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await wrong.look()).status, "links that are looked up count as links").toBe(429);
    const challenges = await Promise.all(
      Array.from({ length: 50 }, () =>
        adminBrowser(admin).call("POST", paths.auth.passkeyChallenge, {}),
      ),
    );
    expect(challenges.filter(({ status }) => status !== 200)).toEqual([]);

    expect((await owner.call("GET", paths.auth.session)).status, "cookie").toBe(200);
    expect(
      (await adminBrowser(admin).call("POST", paths.auth.signInLink, link)).status,
      "look-up",
    ).toBe(200);
    expect((await adminBrowser(admin).call("POST", paths.auth.signIn, link)).status, "link").toBe(
      200,
    );
    expect((await passkeySignIn(adminBrowser(admin), device)).status, "passkey").toBe(200);
    const page = await fetch(`${admin.url}/`);
    expect([page.status, await page.text()]).toEqual([
      503,
      "The admin is not built. Run: npm run build\n",
    ]);
  });

  test("invalid cookies do not use up the attempts with links and passkeys", async () => {
    const admin = await adminConfig();
    await using _shop = await startShop({
      config: { admin },
      adminRoot: join(tmpdir(), "no-admin-is-built-here"),
    });
    const cookie = `admin-${admin.port}=${"x".repeat(43)}`;
    const guess = () => adminBrowser(admin).call("GET", paths.auth.session, undefined, { cookie });
    for (let sent = 0; sent < 12; sent += 1) await guess();
    expect((await guess()).status).toBe(429);
    const link = await adminBrowser(admin).call("POST", paths.auth.signIn, {
      link: "x".repeat(43),
    });
    expect(link.status).toBe(401);
    expect((await passkeySignIn(adminBrowser(admin), createAuthenticator(admin.url))).status).toBe(
      401,
    );
  });

  test("without ADMIN_PORT invitations and sign-in links are refused", async () => {
    await using shop = await startShop();
    const invited = await callAdminApi(shop, "POST", paths.admin.staff, {
      name: "Ada",
      role: "staff",
    });
    expect(codeOf(invited)).toEqual([409, "admin_off"]);
    expect(codeOf(await callAdminApi(shop, "POST", paths.admin.signInLinks, {}))).toEqual([
      409,
      "admin_off",
    ]);
    expect((await callAdminApi(shop, "GET", paths.admin.staff)).body).toEqual({ staff: [] });
  });
});

interface Held {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request whose headers the server has, and whose body has not been sent. */
interface HeldRequest {
  /** Sends the body. Returns the status and text of the answer. */
  finish(): Promise<{ status: number | undefined; text: string }>;
}

/** Begins a request with JSON, and resolves when the server wants the body. */
async function holdRequest(url: string, { method, headers, body }: Held): Promise<HeldRequest> {
  const held = request(url, {
    method,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      expect: "100-continue",
    },
  });
  held.flushHeaders();
  await once(held, "continue");
  return {
    async finish() {
      const answered = once(held, "response");
      held.end(body);
      const [response] = await answered;
      return { status: response.statusCode, text: await text(response) };
    },
  };
}
