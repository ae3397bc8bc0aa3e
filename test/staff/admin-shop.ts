import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths, type Role } from "@keepsats/protocol";
import { readDatabase } from "../../apps/server/src/config/config.ts";
import type { createAuthenticator } from "../harness/authenticator.ts";
import type { DatabaseKind } from "../harness/databases.ts";
import { startShop } from "../harness/shop.ts";
import { type AdminBrowser, adminBrowser, inviteStaff } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

/** A shop with a small build of the admin, for the describe block that calls this. */
export function useAdminShop(kind: DatabaseKind) {
  const testDatabase = useResource(() => kind.newShopDatabase());
  const build = useResource(() => mkdtempDisposable(join(tmpdir(), "keepsats-admin-")));
  const shop = useResource(async () => {
    await mkdir(join(build.path, "assets"));
    await writeFile(join(build.path, "index.html"), "<!doctype html><title>Admin</title>");
    await writeFile(join(build.path, "assets/app-12345678.js"), "1");
    return startShop({
      admin: true,
      adminRoot: build.path,
      // Each browser of the tests sends an address of its own, so that none uses up the limits of
      // another.
      config: { database: readDatabase({ DATABASE_URL: testDatabase.url }), trustProxy: 1 },
    });
  });
  const admin = useResource(async () => ({
    ...shop.admin,
    [Symbol.asyncDispose]: async () => {},
  }));
  let names = 0;
  /** A name that no other test has used. */
  const aName = () => `Person ${++names}`;

  /** A member of staff who is signed in. */
  async function signedIn(role: Role = "staff"): Promise<{ id: string; browser: AdminBrowser }> {
    const { id, link } = await inviteStaff(shop, aName(), role);
    const browser = adminBrowser(admin);
    await browser.signIn(link);
    return { id, browser };
  }
  return { shop, admin, aName, signedIn };
}

/** A field of an answer. */
export const field = (body: unknown, name: string): unknown => Reflect.get(Object(body), name);

/** The status of an answer, and the code of its problem. */
export const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  field(body, "code"),
];

export function challengeIn(body: unknown): { challenge: string } {
  return { challenge: String(field(field(body, "options"), "challenge")) };
}

type Device = ReturnType<typeof createAuthenticator>;

export async function addPasskey(browser: AdminBrowser, device: Device, wrong = {}) {
  const { body } = await browser.call("POST", paths.auth.newPasskeyChallenge, {});
  const response = device.create(challengeIn(body), wrong);
  const challenge_id = field(body, "challenge_id");
  return browser.call("POST", paths.auth.passkeys, { challenge_id, name: "Laptop", response });
}

export async function passkeySignIn(browser: AdminBrowser, device: Device, wrong = {}) {
  const { body } = await browser.call("POST", paths.auth.passkeyChallenge, {});
  const response = device.get(challengeIn(body), wrong);
  return browser.call("POST", paths.auth.passkeySignIn, {
    challenge_id: field(body, "challenge_id"),
    response,
  });
}
