import { randomUUID } from "node:crypto";
import { paths } from "@keepsats/protocol";
import { expect, test } from "./fixtures/admin.ts";
import { expectFitAndAccessible, expectNoViolations } from "./fixtures/page-checks.ts";
import { addAuthenticator } from "./fixtures/passkeys.ts";

test("a sign-in link works once, and signing out leads back to the sign-in screen", async ({
  page,
  admin,
  console,
}) => {
  // The browser logs the refusal of the used link.
  console.expect(/status of 401/);
  const link = await admin.link();

  await test.step("a scanner that opens the link and runs its scripts does not sign in", async () => {
    const changes: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") changes.push(new URL(request.url()).pathname);
    });
    await page.goto(link);
    await expect(page.getByRole("button", { name: "Sign in as Owner to Keepsats" })).toBeVisible();
    expect(changes).toEqual([paths.auth.signInLink]);
    expect(await page.context().cookies()).toEqual([]);
    await expectFitAndAccessible(page);
  });
  await test.step("a click signs in, also a double click, and the secret is removed from the address", async () => {
    await page.getByRole("button", { name: "Sign in as Owner to Keepsats" }).dblclick();
    await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    expect(page.url()).toBe(`${admin.url}/`);
  });
  await test.step("every screen opens from the navigation", async () => {
    for (const screen of ["Orders", "Payments", "Items", "Settings", "Today"]) {
      await page.getByRole("navigation").getByRole("link", { name: screen }).click();
      await expect(page.getByRole("heading", { name: screen, level: 1 })).toBeVisible();
      await expect(page).toHaveTitle(`${screen} · Admin`);
    }
    await page.goto(`${admin.url}/nowhere`);
    await expect(page.getByText("This page does not exist.")).toBeVisible();
  });
  await test.step("another link asks before it replaces the session", async () => {
    const name = `Bob ${randomUUID()}`;
    const other = await admin.invite(name);
    await page.goto(other);
    await expect(page.getByText("You are signed in as Owner.")).toBeVisible();
    expect(page.url()).toBe(`${admin.url}/sign-in`);
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
    await expect(page.getByText("Owner", { exact: true })).toBeVisible();
    await admin.enter(page, other);
    await expect(page.getByText(name)).toBeVisible();
  });
  await test.step("signing out ends the session", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByText("You are signed out.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  });
  await test.step("another link is emailed on request, without revealing known addresses", async () => {
    await page.getByLabel("Email").fill("nobody@shop.example");
    await page.getByRole("button", { name: "Email me a sign-in link" }).click();
    await expect(
      page.getByText(/^If nobody@shop.example belongs to a member of staff of /),
    ).toBeVisible();
  });
  await test.step("the same link does not sign in again", async () => {
    await page.goto(link);
    await expect(page.getByText("This link has expired or was already used")).toBeVisible();
    await expectFitAndAccessible(page);
  });
});

test("a passkey is added in the settings, signs in, and no longer signs in once it is removed", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of 40[134]/);
  await addAuthenticator(page);
  // Not the owner, whom the tests of a worker share, because a passkey stays.
  await admin.enter(page, await admin.invite(`Eve ${randomUUID()}`));
  await page.goto(`${admin.url}/settings/sessions`);
  const own = page.getByRole("region", { name: "Your passkeys" });
  await expect(own.getByText("No passkeys yet: each sign-in needs a new link.")).toBeVisible();
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
  await expect(own.getByRole("listitem")).toContainText("not used yet");
  await expect(page.getByRole("complementary", { name: "Passkey" })).toBeHidden();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.goto(`${admin.url}/settings/sessions`);

  await own.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("dialog")).toContainText("It is your last one");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(own.getByText("No passkeys yet: each sign-in needs a new link.")).toBeVisible();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("The shop does not know this passkey.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
});

test("a passkey is renamed by its holder, and removed by an owner after a confirmation", async ({
  page,
  admin,
  browser,
}) => {
  const name = `Ida ${randomUUID()}`;
  await addAuthenticator(page);
  await admin.enter(page, await admin.invite(name));
  await page.goto(`${admin.url}/settings/sessions`);
  const own = page.getByRole("region", { name: "Your passkeys" });
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await own.getByRole("button", { name: /^Rename/ }).click();
  const dialog = page.getByRole("dialog", { name: "Rename passkey" });
  await expectNoViolations(page);
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByLabel("Name").fill("Blue key");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(own.getByRole("listitem")).toContainText("Blue key");
  await expect(dialog).toBeHidden();

  const owner = await browser.newPage();
  await admin.open(owner, "/settings/staff");
  await owner.getByRole("button", { name: `Passkeys of ${name}` }).click();
  await expect(owner.getByRole("list", { name: `Passkeys of ${name}` })).toContainText("Blue key");
  await expectNoViolations(owner);
  await owner.getByRole("button", { name: `Remove Blue key of ${name}` }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(
    owner.getByText(`${name} has no passkeys: each sign-in needs a new link.`),
  ).toBeVisible();
  await owner.close();
  await expect(own.getByText("No passkeys yet: each sign-in needs a new link.")).toBeVisible();
});

test("a lost connection is shown and restored, after which failed screens are loaded", async ({
  page,
  admin,
  shop,
  console,
}) => {
  console.expect(/net::ERR_|WebSocket|Failed to fetch/);
  await admin.open(page, "/payments");
  await expect(page.getByRole("heading", { name: "Payments" })).toBeVisible();
  await page.route("**/assets/orders-screen*", (route) => route.abort("connectionreset"));
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("alert")).toContainText("This page could not be shown.");
  await page.unroute("**/assets/orders-screen*");
  const disconnected = page.getByText("Disconnected, trying again", { exact: true });
  await page.context().setOffline(true);
  await expect(disconnected).toBeVisible({ timeout: 5_000 });
  const held = Promise.withResolvers<void>();
  await page.route("**/api/admin/today", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.context().setOffline(false);
  await expect(page.getByText("Connecting", { exact: true })).toBeVisible({ timeout: 5_000 });
  held.resolve();
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 5_000 });
  await page.unroute("**/api/admin/today");
  await shop.kill();
  await expect(disconnected).toBeVisible();
  await shop.start();
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "Orders" })).toBeVisible();
  await expect(page.getByText("could not be shown")).toBeHidden();
});
