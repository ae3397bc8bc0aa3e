import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  deskSessionSchema,
  passkeysSchema,
  paths,
  staffSessionsSchema,
  withId,
} from "@keepsats/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../apps/server/src/config.ts";
import type { DeskConfig } from "../apps/server/src/desk-config.ts";
import { createAuthenticator } from "./harness/authenticator.ts";
import { type DatabaseKind, type DatabasePlace, databaseKinds } from "./harness/databases.ts";
import { deskConfig, type Shop, startShop } from "./harness/shop.ts";
import {
  type DeskBrowser,
  deskBrowser,
  inviteStaff,
  merchant,
  newLink,
  openLive,
  ownerBrowser,
  refusedLive,
  secretOf,
} from "./harness/staff.ts";
import { waitFor } from "./harness/wait-for.ts";

const WEEK = 7 * 24 * 60 * 60_000;
const field = (body: unknown, name: string): unknown => Reflect.get(Object(body), name);
const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  field(body, "code"),
];

function configOf(kind: DatabaseKind, place: DatabasePlace): Config["database"] {
  if (kind.name === "SQLite") return { kind: "sqlite", file: place.url.slice("file:".length) };
  return { kind: "postgres", url: place.url };
}

describe.each(databaseKinds)("signing in at the desk on $name", (kind) => {
  let place: DatabasePlace;
  let shop: Shop;
  let desk: DeskConfig;
  let folder: string;
  beforeAll(async () => {
    place = await kind.newPlace();
    desk = await deskConfig();
    folder = await mkdtemp(join(tmpdir(), "keepsats-desk-"));
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), "<!doctype html><title>Desk</title>");
    await writeFile(join(folder, "assets/app-12345678.js"), "1");
    // Each browser of the tests says that it has an address of its own, so that none uses up the
    // limits of another.
    const config = { database: configOf(kind, place), desk, trustProxy: 1 };
    shop = await startShop({ config, deskRoot: folder });
  });
  afterAll(async () => {
    await shop.close();
    await place.remove();
    await rm(folder, { recursive: true });
  });
  let count = 0;
  /** A name that no other test has used. */
  const aName = () => `Person ${++count}`;

  /** A member of staff who is signed in. */
  async function signedIn(
    role: "owner" | "staff" = "staff",
  ): Promise<{ id: string; browser: DeskBrowser }> {
    const { id, link } = await inviteStaff(shop, aName(), role);
    const browser = deskBrowser(desk);
    await browser.signIn(link);
    return { id, browser };
  }

  test("a link signs in once, and the session shows who it is", async () => {
    const name = aName();
    const { id, link } = await inviteStaff(shop, name);
    expect(link).toMatch(new RegExp(`^${desk.url}/sign-in#[\\w-]{43}$`));
    const browser = deskBrowser(desk);
    const answer = await browser.call("POST", paths.desk.signIn, { link: secretOf(link) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^desk-\d+=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const session = deskSessionSchema.parse((await browser.call("GET", paths.desk.session)).body);
    expect(session).toMatchObject({
      staff: { id, name, email: null, role: "staff" },
      passkeys: [],
    });
    expect(session).toMatchObject({ shop_name: "Keepsats", shop_url: shop.url, shop_logo: null });

    const again = await deskBrowser(desk).call("POST", paths.desk.signIn, { link: secretOf(link) });
    expect(codeOf(again)).toEqual([401, "sign_in_refused"]);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test("of two sign-ins with one link at the same time, one succeeds", async () => {
    const { link } = await inviteStaff(shop, aName());
    const both = await Promise.all(
      [1, 2].map(() => deskBrowser(desk).call("POST", paths.desk.signIn, { link: secretOf(link) })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test("looking up a link returns the name and the shop, and does not use the link", async () => {
    const name = aName();
    const { link } = await inviteStaff(shop, name);
    const scanner = deskBrowser(desk);
    const lookUp = () => scanner.call("POST", paths.desk.signInLink, { link: secretOf(link) });
    for (const answer of [await lookUp(), await lookUp()]) {
      expect(answer).toMatchObject({ status: 200, body: { name, shop_name: "Keepsats" } });
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    const elsewhere = { origin: "https://evil.example" };
    const foreign = await scanner.call(
      "POST",
      paths.desk.signInLink,
      { link: secretOf(link) },
      elsewhere,
    );
    expect(codeOf(foreign)).toEqual([403, "wrong_origin"]);
    await deskBrowser(desk).signIn(link);
    expect(codeOf(await lookUp()), "used").toEqual([401, "sign_in_refused"]);
  });

  test("signing in ends the session that the browser had before", async () => {
    const { id, browser } = await signedIn();
    const before = { cookie: browser.cookie };
    await browser.signIn(await newLink(shop, id));
    expect((await fetch(`${desk.url}${paths.desk.session}`, { headers: before })).status).toBe(401);
    expect((await browser.call("GET", paths.desk.session)).status).toBe(200);
  });

  test("a link that has expired signs nobody in", async () => {
    const { id, link } = await inviteStaff(shop, aName());
    const links = shop.database.db.updateTable("sign_in_links").where("staff_id", "=", id);
    await links.set({ expires_at: shop.database.now() - 1 }).execute();
    for (const path of [paths.desk.signInLink, paths.desk.signIn]) {
      const answer = await deskBrowser(desk).call("POST", path, { link: secretOf(link) });
      expect(codeOf(answer), path).toEqual([401, "sign_in_refused"]);
    }
  });

  test("a session that was not used for a week has ended, and one that was used has not", async () => {
    const { id, browser } = await signedIn();
    const sessions = shop.database.db.updateTable("desk_sessions").where("staff_id", "=", id);
    await sessions.set({ used_at: shop.database.now() - WEEK + 60_000 }).execute();
    expect((await browser.call("GET", paths.desk.session)).status).toBe(200);
    const row = shop.database.db
      .selectFrom("desk_sessions")
      .select("used_at")
      .where("staff_id", "=", id);
    expect((await row.executeTakeFirstOrThrow()).used_at).toBeGreaterThan(
      shop.database.now() - 60_000,
    );
    await sessions.set({ used_at: shop.database.now() - WEEK }).execute();
    expect(codeOf(await browser.call("GET", paths.desk.session))).toEqual([401, "unauthorized"]);
    expect(browser.cookie, "the cookie is removed").toBe("");
  });

  test("only hashes of secrets are stored", async () => {
    const { link } = await inviteStaff(shop, aName());
    const { browser } = await signedIn();
    const [, secret = ""] = browser.cookie.split("=");
    const links = await shop.database.db.selectFrom("sign_in_links").selectAll().execute();
    const sessions = await shop.database.db.selectFrom("desk_sessions").selectAll().execute();
    const stored = JSON.stringify([links, sessions]);
    expect(links.length * sessions.length).toBeGreaterThan(0);
    expect(stored).not.toContain(secretOf(link));
    expect(stored).not.toContain(secret);
  });

  test("requests of other origins change nothing", async () => {
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
        paths.desk.signIn,
        { link: secretOf(link) },
        headers,
      );
      expect(codeOf(signIn), JSON.stringify(headers)).toEqual([403, "wrong_origin"]);
      expect(codeOf(await browser.call("DELETE", paths.desk.session, undefined, headers))).toEqual([
        403,
        "wrong_origin",
      ]);
      const token = await browser.call(
        "POST",
        paths.merchant.tokens,
        { name: "x", role: "staff" },
        headers,
      );
      expect(codeOf(token)).toEqual([403, "wrong_origin"]);
    }
    const withoutOrigin = await fetch(`${desk.url}${paths.desk.session}`, {
      method: "DELETE",
      headers: { cookie: browser.cookie },
    });
    expect(withoutOrigin.status).toBe(403);
    expect((await browser.call("GET", paths.desk.session)).status).toBe(200);
    expect(await refusedLive(desk, { origin: shop.url, cookie: browser.cookie })).toBe(403);
    await deskBrowser(desk).signIn(link);
  });

  test("the cookie opens nothing at the shop's door, and a token nothing at the desk's", async () => {
    const owner = await ownerBrowser(shop);
    expect((await owner.call("GET", paths.merchant.orders)).status).toBe(200);
    const atShop = await fetch(`${shop.url}${paths.merchant.orders}`, {
      headers: { cookie: owner.cookie },
    });
    expect(atShop.status).toBe(401);
    const atDesk = await fetch(`${desk.url}${paths.merchant.orders}`, {
      headers: { authorization: `Bearer ${shop.token}` },
    });
    expect(atDesk.status).toBe(401);
  });

  test("the shop's door knows nothing of the desk", async () => {
    const owner = await ownerBrowser(shop);
    for (const path of Object.values(paths.desk)) {
      const headers = { cookie: owner.cookie, "content-type": "application/json" };
      expect((await fetch(`${shop.url}${path}`, { headers })).status, path).toBe(404);
      expect(
        (await fetch(`${shop.url}${path}`, { method: "POST", headers, body: "{}" })).status,
        path,
      ).toBe(404);
    }
    expect(await refusedLive({ url: shop.url }, { origin: desk.url, cookie: owner.cookie })).toBe(
      404,
    );
  });

  test("a member of staff works at the desk under their own name, and may not do what is for owners", async () => {
    const { browser } = await signedIn();
    const refused = await browser.call("GET", paths.merchant.staff);
    expect(codeOf(refused)).toEqual([403, "permission_required"]);
    for (const path of [paths.merchant.staff, paths.merchant.deskLinks, paths.merchant.tokens])
      expect((await browser.call("POST", path, {})).status, path).toBe(403);
    const item = {
      name: "Desk lamp",
      price: 5,
      description: "Bright",
      image_url: "https://x.example/l.jpg",
    };
    const made = await browser.call("PUT", withId(paths.merchant.item, `lamp-${count}`), item);
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  });

  test("a browser without a cookie is told that nobody is signed in, without an error", async () => {
    const nobody = await deskBrowser(desk).call("GET", paths.desk.session);
    expect([nobody.status, nobody.body]).toEqual([204, ""]);
    expect((await deskBrowser(desk).call("DELETE", paths.desk.session)).status).toBe(401);
  });

  test("signing out ends the session in the browser and on the server", async () => {
    const { browser } = await signedIn();
    const { cookie } = browser;
    expect((await browser.call("DELETE", paths.desk.session)).status).toBe(204);
    expect(browser.cookie).toBe("");
    const replayed = await fetch(`${desk.url}${paths.desk.session}`, { headers: { cookie } });
    expect(replayed.status).toBe(401);
  });

  test("staff see and end their own sessions, owners all of them", async () => {
    const one = await signedIn();
    const other = await signedIn();
    const listed = async (browser: DeskBrowser) =>
      staffSessionsSchema.parse((await browser.call("GET", paths.merchant.sessions)).body).sessions;
    const [own, ...more] = await listed(one.browser);
    expect(more).toEqual([]);
    expect(own).toMatchObject({ staff_id: one.id, current: true });
    const [foreign] = await listed(other.browser);
    const path = withId(paths.merchant.session, foreign?.id ?? "");
    expect((await one.browser.call("DELETE", path)).status).toBe(404);
    const owner = await ownerBrowser(shop);
    const all = (await listed(owner)).map(({ staff_id }) => staff_id);
    expect(all).toEqual(expect.arrayContaining([one.id, other.id, "owner"]));
    expect((await owner.call("DELETE", path)).status).toBe(200);
    expect((await other.browser.call("GET", paths.desk.session)).status).toBe(401);
    expect(
      (await one.browser.call("DELETE", withId(paths.merchant.session, own?.id ?? ""))).status,
    ).toBe(200);
    expect((await one.browser.call("GET", paths.desk.session)).status).toBe(401);
  });

  test("a withdrawn member of staff is out at once: requests, open sockets, links and passkeys", async () => {
    const { id, browser } = await signedIn();
    const device = createAuthenticator(desk.url);
    await addPasskey(browser, device);
    const live = await openLive(browser);
    const link = await newLink(shop, id);
    const { status } = await merchant(shop, "DELETE", withId(paths.merchant.staffMember, id));
    expect(status).toBe(200);
    expect((await browser.call("GET", paths.merchant.orders)).status).toBe(401);
    expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
    expect(
      (await deskBrowser(desk).call("POST", paths.desk.signIn, { link: secretOf(link) })).status,
    ).toBe(401);
    expect((await passkeySignIn(deskBrowser(desk), device)).status).toBe(401);
    expect(await refusedLive(desk, { origin: desk.url, cookie: browser.cookie })).toBe(401);
  });

  /** What a withdrawn owner must not bring about, each with a body that comes late. */
  function changes(): readonly [string, string, unknown][] {
    const name = aName();
    const item = {
      id: `late-${count}`,
      name,
      price: 5,
      description: "x",
      image_url: "https://x.example/x.png",
    };
    return [
      ["POST", paths.merchant.tokens, { name, role: "owner" }],
      ["POST", paths.merchant.staff, { name, role: "owner" }],
      ["POST", paths.merchant.deskLinks, {}],
      ["POST", paths.merchant.webhooks, { url: "https://evil.example/" }],
      ["PUT", paths.merchant.settings, { greeting: "Withdrawn" }],
      ["POST", paths.merchant.import, { items: [item] }],
    ];
  }

  /** The answers to {@link changes} whose bodies are sent after the sender was withdrawn. */
  async function answersTo(
    url: string,
    headers: Record<string, string>,
    withdraw: () => Promise<unknown>,
  ) {
    const held = await Promise.all(
      changes().map(([method, path, body]) =>
        holdRequest(`${url}${path}`, { method, headers, body: JSON.stringify(body) }),
      ),
    );
    // Answered after the held requests were let in.
    const known = await fetch(`${url}${paths.merchant.orders}`, { headers });
    await withdraw();
    const answers = await Promise.all(held.map((request) => request.finish()));
    return [known.status, ...answers.map(({ status }) => status)];
  }

  test("a request that is held open while its sender is withdrawn changes nothing", async () => {
    const { id, browser } = await signedIn("owner");
    const cookie = { cookie: browser.cookie, origin: desk.url };
    const withdraw = () => merchant(shop, "DELETE", withId(paths.merchant.staffMember, id));
    expect(await answersTo(desk.url, cookie, withdraw)).toEqual([200, ...changes().map(() => 401)]);

    const made = await merchant(shop, "POST", paths.merchant.tokens, {
      name: aName(),
      role: "owner",
    });
    const bearer = { authorization: `Bearer ${field(made.body, "token")}` };
    const tokenPath = withId(paths.merchant.token, String(field(made.body, "id")));
    const statuses = await answersTo(shop.url, bearer, () => merchant(shop, "DELETE", tokenPath));
    expect(statuses).toEqual([200, ...changes().map(() => 401)]);
  });

  test("names of staff are unique without regard to case, and some belong to the shop", async () => {
    const name = aName();
    await inviteStaff(shop, name);
    for (const taken of [name.toUpperCase(), "merchant", "Merchant", "owner"]) {
      const answer = await merchant(shop, "POST", paths.merchant.staff, {
        name: taken,
        role: "staff",
      });
      expect(codeOf(answer), taken).toEqual([409, "name_taken"]);
    }
  });

  test("texts that are no ids, with a zero byte too, are answered as wrong or unknown", async () => {
    const owner = await ownerBrowser(shop);
    const link = await owner.call("POST", paths.merchant.deskLinks, { staff_id: "\u0000" });
    expect(link.status).toBe(422);
    expect(
      (await owner.call("POST", paths.merchant.deskLinks, { staff_id: "nobody" })).status,
    ).toBe(404);
    expect((await owner.call("DELETE", withId(paths.merchant.session, "\u0000"))).status).toBe(404);
    expect((await owner.call("DELETE", withId(paths.desk.passkey, "\u0000"))).status).toBe(404);
    const secret = await deskBrowser(desk).call("POST", paths.desk.signIn, { link: "\u0000" });
    expect(secret.status).toBe(401);
    const passkey = { challenge_id: "\u0000", response: {} };
    expect((await deskBrowser(desk).call("POST", paths.desk.passkeySignIn, passkey)).status).toBe(
      422,
    );
  });

  test("a passkey is added, and signs in from then on", async () => {
    const { id, browser } = await signedIn();
    const device = createAuthenticator(desk.url);
    const added = await addPasskey(browser, device);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body).toMatchObject({ name: "Laptop", used_at: null });
    const next = deskBrowser(desk);
    const answer = await passkeySignIn(next, device);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const session = deskSessionSchema.parse((await next.call("GET", paths.desk.session)).body);
    expect(session.staff.id).toBe(id);
    expect(session.passkeys).toMatchObject([{ name: "Laptop", used_at: expect.any(Number) }]);

    const path = withId(paths.desk.passkey, session.passkeys[0]?.id ?? "");
    const { browser: stranger } = await signedIn();
    expect((await stranger.call("DELETE", path)).status).toBe(404);
    expect((await stranger.call("PATCH", path, { name: "Mine" })).status).toBe(404);
    for (const name of ["", " ", "x".repeat(61), "a\u0000b"])
      expect((await next.call("PATCH", path, { name })).status, name).toBe(422);
    const renamed = await next.call("PATCH", path, { name: " Blue key " });
    expect(renamed).toMatchObject({
      status: 200,
      body: { id: session.passkeys[0]?.id, name: "Blue key" },
    });
    expect((await passkeySignIn(deskBrowser(desk), device)).status, "renamed").toBe(200);
    expect((await next.call("DELETE", path)).status).toBe(204);
    expect((await passkeySignIn(deskBrowser(desk), device)).status).toBe(401);
  });

  test("an owner removes a passkey of another member of staff, whose sessions go on until they are ended", async () => {
    const { id, browser } = await signedIn();
    const [lost, kept] = [createAuthenticator(desk.url), createAuthenticator(desk.url)];
    await addPasskey(browser, lost);
    const owner = await ownerBrowser(shop);
    const listPath = withId(paths.merchant.staffPasskeys, id);
    const listed = async () =>
      passkeysSchema.parse((await owner.call("GET", listPath)).body).passkeys;
    const [first] = await listed();
    await addPasskey(browser, kept);
    const path = withId(paths.merchant.passkey, first?.id ?? "");
    for (const [method, refused] of [
      ["GET", listPath],
      ["DELETE", path],
    ] as const)
      expect(codeOf(await browser.call(method, refused))).toEqual([403, "permission_required"]);
    expect((await owner.call("DELETE", path)).body).toMatchObject({
      id: first?.id,
      name: "Laptop",
    });
    expect((await owner.call("DELETE", path)).status, "it is gone").toBe(404);
    expect(await listed()).toHaveLength(1);
    expect((await passkeySignIn(deskBrowser(desk), lost)).status).toBe(401);
    expect((await passkeySignIn(deskBrowser(desk), kept)).status).toBe(200);
    expect((await browser.call("GET", paths.desk.session)).status).toBe(200);
    const ofNobody = await owner.call("GET", withId(paths.merchant.staffPasskeys, "nobody"));
    expect(ofNobody).toMatchObject({ status: 200, body: { passkeys: [] } });
  });

  test("whoever has 20 passkeys is told so before the browser makes another", async () => {
    const { id, browser } = await signedIn();
    const passkey = {
      staff_id: id,
      name: "Key",
      public_key: "key",
      counter: 0,
      created_at: 1,
      used_at: null,
    };
    for (let at = 0; at < 20; at += 1) {
      const ids = { id: randomUUID(), credential_id: randomUUID() };
      await shop.database.db
        .insertInto("passkeys")
        .values({ ...passkey, ...ids })
        .execute();
    }
    const refused = await browser.call("POST", paths.desk.newPasskeyChallenge, {});
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("20 passkeys") },
    });
    await shop.database.db.deleteFrom("passkeys").where("staff_id", "=", id).execute();
    expect((await addPasskey(browser, createAuthenticator(desk.url))).status).toBe(201);
  });

  test("a session asks for thirty challenges of new passkeys a minute at most", async () => {
    const { browser } = await signedIn();
    const ask = async () => (await browser.call("POST", paths.desk.newPasskeyChallenge, {})).status;
    for (let asked = 0; asked < 30; asked += 1) expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
  });

  test("a new passkey is refused with a wrong origin, host, challenge, or without user verification", async () => {
    const { browser } = await signedIn();
    const device = createAuthenticator(desk.url);
    const wrong = [
      { origin: shop.url },
      { rpId: "evil.example" },
      { unverified: true },
      { crossOrigin: true },
    ];
    for (const what of wrong)
      expect((await addPasskey(browser, device, what)).status, JSON.stringify(what)).toBe(422);
    const mine = await browser.call("POST", paths.desk.newPasskeyChallenge, {});
    const { browser: other } = await signedIn();
    const body = {
      challenge_id: field(mine.body, "challenge_id"),
      name: "Stolen",
      response: device.create(challengeIn(mine.body)),
    };
    expect(
      (await other.call("POST", paths.desk.passkeys, body)).status,
      "a challenge of another",
    ).toBe(422);
    expect((await browser.call("POST", paths.desk.passkeys, body)).status).toBe(201);
    expect((await browser.call("POST", paths.desk.passkeys, body)).status, "used once").toBe(422);
  });

  test("no attestation is looked at: its certificates make the server ask nobody", async () => {
    const asked: string[] = [];
    const listener = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.end();
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    try {
      const address = listener.address();
      const port = typeof address === "object" ? address?.port : undefined;
      for (const fmt of [
        "android-key",
        "tpm",
        "apple",
        "fido-u2f",
        "packed",
        "android-safetynet",
        "unknown",
      ]) {
        const { browser } = await signedIn();
        const device = createAuthenticator(desk.url);
        const attested = { fmt, revocations: `http://127.0.0.1:${port}/${fmt}` };
        const added = await addPasskey(browser, device, { attested });
        expect(asked, "what the server has asked for").toEqual([]);
        expect(added.status, fmt).toBe(201);
        expect((await passkeySignIn(deskBrowser(desk), device)).status, fmt).toBe(200);
      }
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
    const { browser } = await signedIn();
    const self = createAuthenticator(desk.url);
    expect((await addPasskey(browser, self, { attested: { fmt: "packed" } })).status).toBe(201);
  });

  test("a sign-in with a passkey is refused when it is replayed, or its count did not grow", async () => {
    const { browser } = await signedIn();
    const device = createAuthenticator(desk.url);
    await addPasskey(browser, device);
    const visitor = deskBrowser(desk);
    const { body: asked } = await visitor.call("POST", paths.desk.passkeyChallenge, {});
    const body = {
      challenge_id: field(asked, "challenge_id"),
      response: device.get(challengeIn(asked)),
    };
    expect((await visitor.call("POST", paths.desk.passkeySignIn, body)).status).toBe(200);
    const replayed = await deskBrowser(desk).call("POST", paths.desk.passkeySignIn, body);
    expect(codeOf(replayed)).toEqual([401, "sign_in_refused"]);
    for (const wrong of [
      { counter: 1 },
      { origin: shop.url },
      { rpId: "evil.example" },
      { unverified: true },
      { crossOrigin: true },
    ])
      expect(
        (await passkeySignIn(deskBrowser(desk), device, wrong)).status,
        JSON.stringify(wrong),
      ).toBe(401);
    expect((await passkeySignIn(deskBrowser(desk), device)).status).toBe(200);
  });

  test.each(["identity", "gzip", "br"])(
    "its pages are served to a client that accepts %s",
    async (encoding) => {
      const headers = { "accept-encoding": encoding };
      for (const path of ["/", "/orders", "/orders/"]) {
        const page = await fetch(desk.url + path, { headers });
        expect([path, page.status, page.headers.get("content-type")]).toEqual([
          path,
          200,
          "text/html; charset=utf-8",
        ]);
        expect((await fetch(desk.url + path, { method: "HEAD", headers })).status).toBe(200);
      }
    },
  );

  test("its pages are closed to other sites, and its assets kept", async () => {
    const page = await fetch(`${desk.url}/orders/some`);
    expect(await page.text()).toContain("<title>Desk</title>");
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
    const asset = await fetch(`${desk.url}/assets/app-12345678.js`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await fetch(`${desk.url}/assets/gone-12345678.js`)).status).toBe(404);
    expect((await fetch(`${desk.url}/api/none`)).status).toBe(404);
    const elsewhere = await fetch(`http://127.0.0.1:${desk.port}/x`, { redirect: "manual" });
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([307, `${desk.url}/x`]);
    const session = await fetch(`${desk.url}${paths.desk.session}`);
    expect(session.headers.get("cache-control")).toBe("no-store");
  });
});

function challengeIn(body: unknown): { challenge: string } {
  return { challenge: String(field(field(body, "options"), "challenge")) };
}

type Device = ReturnType<typeof createAuthenticator>;

async function addPasskey(browser: DeskBrowser, device: Device, wrong = {}) {
  const { body } = await browser.call("POST", paths.desk.newPasskeyChallenge, {});
  const response = device.create(challengeIn(body), wrong);
  const challenge_id = field(body, "challenge_id");
  return browser.call("POST", paths.desk.passkeys, { challenge_id, name: "Laptop", response });
}

async function passkeySignIn(browser: DeskBrowser, device: Device, wrong = {}) {
  const { body } = await browser.call("POST", paths.desk.passkeyChallenge, {});
  const response = device.get(challengeIn(body), wrong);
  return browser.call("POST", paths.desk.passkeySignIn, {
    challenge_id: field(body, "challenge_id"),
    response,
  });
}

describe("two servers on one PostgreSQL", () => {
  let place: DatabasePlace;
  let one: Shop;
  let other: Shop;
  let desks: readonly [DeskConfig, DeskConfig];
  beforeAll(async () => {
    const kind = databaseKinds.find(({ name }) => name === "PostgreSQL");
    if (kind === undefined) throw new Error("there is one");
    place = await kind.newPlace();
    const database = configOf(kind, place);
    desks = [await deskConfig(), await deskConfig()];
    // Sessions are read again so seldom that only the bus can tell of their end in time.
    const times = { reread: 3_600_000 };
    one = await startShop({ config: { database, desk: desks[0] }, times });
    other = await startShop({ config: { database, desk: desks[1] }, times });
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await place.remove();
  });

  test("a session ended at one closes its sockets at the other, which refuses it at once", async () => {
    const { id, link } = await inviteStaff(one, "Ada");
    const atOther = deskBrowser(desks[1]);
    await atOther.signIn(link);
    const live = await openLive(atOther);
    await merchant(one, "DELETE", withId(paths.merchant.staffMember, id));
    expect((await atOther.call("GET", paths.desk.session)).status).toBe(401);
    expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
  });
});

describe("a desk alone", () => {
  test("after too many invalid cookies, links and passkeys an address gets 429, but valid ones are accepted", async () => {
    const desk = await deskConfig();
    await using shop = await startShop({
      config: { desk },
      deskRoot: join(tmpdir(), "no-desk-is-built-here"),
    });
    const owner = await ownerBrowser(shop);
    const device = createAuthenticator(desk.url);
    await addPasskey(owner, device);
    const link = { link: secretOf(await newLink(shop)) };
    const stranger = createAuthenticator(desk.url);
    const wrong = {
      cookie: (name: string) =>
        deskBrowser(desk).call("GET", paths.desk.session, undefined, {
          cookie: `${name}=${"x".repeat(43)}`,
        }),
      link: () => deskBrowser(desk).call("POST", paths.desk.signIn, { link: "x".repeat(43) }),
      look: () => deskBrowser(desk).call("POST", paths.desk.signInLink, { link: "x".repeat(43) }),
      passkey: () => passkeySignIn(deskBrowser(desk), stranger),
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
        deskBrowser(desk).call("POST", paths.desk.passkeyChallenge, {}),
      ),
    );
    expect(challenges.filter(({ status }) => status !== 200)).toEqual([]);

    expect((await owner.call("GET", paths.desk.session)).status, "cookie").toBe(200);
    expect(
      (await deskBrowser(desk).call("POST", paths.desk.signInLink, link)).status,
      "look-up",
    ).toBe(200);
    expect((await deskBrowser(desk).call("POST", paths.desk.signIn, link)).status, "link").toBe(
      200,
    );
    expect((await passkeySignIn(deskBrowser(desk), device)).status, "passkey").toBe(200);
    const page = await fetch(`${desk.url}/`);
    expect([page.status, await page.text()]).toEqual([
      503,
      "The desk is not built. Run: npm run build\n",
    ]);
  });

  test("wrong cookies do not count against links and passkeys", async () => {
    const desk = await deskConfig();
    await using _shop = await startShop({
      config: { desk },
      deskRoot: join(tmpdir(), "no-desk-is-built-here"),
    });
    const cookie = `desk-${desk.port}=${"x".repeat(43)}`;
    const guess = () => deskBrowser(desk).call("GET", paths.desk.session, undefined, { cookie });
    for (let sent = 0; sent < 12; sent += 1) await guess();
    expect((await guess()).status).toBe(429);
    const link = await deskBrowser(desk).call("POST", paths.desk.signIn, {
      link: "x".repeat(43),
    });
    expect(link.status).toBe(401);
    expect((await passkeySignIn(deskBrowser(desk), createAuthenticator(desk.url))).status).toBe(
      401,
    );
  });

  test("without DESK_PORT nobody is invited and no link is made", async () => {
    await using shop = await startShop();
    const invited = await merchant(shop, "POST", paths.merchant.staff, {
      name: "Ada",
      role: "staff",
    });
    expect(codeOf(invited)).toEqual([409, "desk_off"]);
    expect(codeOf(await merchant(shop, "POST", paths.merchant.deskLinks, {}))).toEqual([
      409,
      "desk_off",
    ]);
    expect((await merchant(shop, "GET", paths.merchant.staff)).body).toEqual({ staff: [] });
  });
});

interface Held {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request whose headers the server has, and whose body has not been sent. */
interface HeldRequest {
  /** Sends the body. @returns the status and text of the answer */
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
