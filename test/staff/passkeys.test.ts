import { currentSessionSchema, passkeysSchema, paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { createAuthenticator } from "../harness/authenticator.ts";
import { databaseKinds } from "../harness/databases.ts";
import { adminBrowser, ownerBrowser } from "../harness/staff.ts";
import {
  addPasskey,
  challengeIn,
  codeOf,
  field,
  passkeySignIn,
  useAdminShop,
} from "./admin-shop.ts";

describe.each(databaseKinds)("passkeys on $name", (kind) => {
  const { shop, admin, signedIn } = useAdminShop(kind);

  test("a passkey is added, signs in, and is renamed and removed by its owner only", async () => {
    const { id, browser } = await signedIn();
    const device = createAuthenticator(admin.url);
    const added = await addPasskey(browser, device);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body).toMatchObject({ name: "Laptop", used_at: null });
    const next = adminBrowser(admin);
    const answer = await passkeySignIn(next, device);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const session = currentSessionSchema.parse((await next.call("GET", paths.auth.session)).body);
    expect(session.staff.id).toBe(id);
    expect(session.passkeys).toMatchObject([{ name: "Laptop", used_at: expect.any(Number) }]);

    const path = withId(paths.auth.passkey, session.passkeys[0]?.id ?? "");
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
    expect((await passkeySignIn(adminBrowser(admin), device)).status, "renamed").toBe(200);
    expect((await next.call("DELETE", path)).status).toBe(204);
    expect((await passkeySignIn(adminBrowser(admin), device)).status).toBe(401);
  });

  test("an owner removes a passkey of a member of staff, whose sessions continue", async () => {
    const { id, browser } = await signedIn();
    const [lost, kept] = [createAuthenticator(admin.url), createAuthenticator(admin.url)];
    await addPasskey(browser, lost);
    const owner = await ownerBrowser(shop);
    const listPath = withId(paths.admin.staffPasskeys, id);
    const listed = async () =>
      passkeysSchema.parse((await owner.call("GET", listPath)).body).passkeys;
    const [first] = await listed();
    await addPasskey(browser, kept);
    const path = withId(paths.admin.passkey, first?.id ?? "");
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
    expect((await passkeySignIn(adminBrowser(admin), lost)).status).toBe(401);
    expect((await passkeySignIn(adminBrowser(admin), kept)).status).toBe(200);
    expect((await browser.call("GET", paths.auth.session)).status).toBe(200);
    const ofNobody = await owner.call("GET", withId(paths.admin.staffPasskeys, "nobody"));
    expect(ofNobody).toMatchObject({ status: 200, body: { passkeys: [] } });
  });

  test("a new passkey is refused with a wrong origin, host, challenge, or without user verification", async () => {
    const { browser } = await signedIn();
    const device = createAuthenticator(admin.url);
    const wrong = [
      { origin: shop.url },
      { rpId: "evil.example" },
      { unverified: true },
      { crossOrigin: true },
    ];
    for (const what of wrong)
      expect((await addPasskey(browser, device, what)).status, JSON.stringify(what)).toBe(422);
    const mine = await browser.call("POST", paths.auth.newPasskeyChallenge, {});
    const { browser: other } = await signedIn();
    const body = {
      challenge_id: field(mine.body, "challenge_id"),
      name: "Stolen",
      response: device.create(challengeIn(mine.body)),
    };
    expect(
      (await other.call("POST", paths.auth.passkeys, body)).status,
      "a challenge of another",
    ).toBe(422);
    expect((await browser.call("POST", paths.auth.passkeys, body)).status).toBe(201);
    expect((await browser.call("POST", paths.auth.passkeys, body)).status, "used once").toBe(422);
  });

  // The library would verify an attestation: parse certificates that the client chose, and fetch
  // the revocation lists that they name.
  test.each(["android-key", "tpm", "apple", "fido-u2f", "packed", "android-safetynet", "unknown"])(
    "an attestation (%s) is ignored, even an invalid one",
    async (attestation) => {
      const { browser } = await signedIn();
      const device = createAuthenticator(admin.url);
      expect((await addPasskey(browser, device, { attestation })).status).toBe(201);
      expect((await passkeySignIn(adminBrowser(admin), device)).status).toBe(200);
    },
  );

  test("a sign-in with a passkey is refused if it is replayed or its counter did not increase", async () => {
    const { browser } = await signedIn();
    const device = createAuthenticator(admin.url);
    await addPasskey(browser, device);
    const visitor = adminBrowser(admin);
    const { body: asked } = await visitor.call("POST", paths.auth.passkeyChallenge, {});
    const body = {
      challenge_id: field(asked, "challenge_id"),
      response: device.get(challengeIn(asked)),
    };
    expect((await visitor.call("POST", paths.auth.passkeySignIn, body)).status).toBe(200);
    const replayed = await adminBrowser(admin).call("POST", paths.auth.passkeySignIn, body);
    expect(codeOf(replayed)).toEqual([401, "sign_in_refused"]);
    for (const wrong of [
      { counter: 1 },
      { origin: shop.url },
      { rpId: "evil.example" },
      { unverified: true },
      { crossOrigin: true },
    ])
      expect(
        (await passkeySignIn(adminBrowser(admin), device, wrong)).status,
        JSON.stringify(wrong),
      ).toBe(401);
    expect((await passkeySignIn(adminBrowser(admin), device)).status).toBe(200);
  });
});
