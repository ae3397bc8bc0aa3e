import { randomUUID } from "node:crypto";
import { paths } from "@keepsats/protocol";
import { expect, test } from "./fixtures/desk.ts";
import {
  expectNoHorizontalScrolling,
  expectNoViolations,
  forEachLook,
} from "./fixtures/page-checks.ts";
import { addAuthenticator } from "./fixtures/passkeys.ts";

test("a sign-in link works once, and the way out leads back to the sign-in", async ({
  page,
  desk,
  console,
}) => {
  // The browser logs the refusal of a link that was used before.
  console.expect(/status of 401/);
  const link = await desk.link();

  await test.step("a scanner that opens the link and runs its scripts does not sign in", async () => {
    const changes: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") changes.push(new URL(request.url()).pathname);
    });
    await page.goto(link);
    await expect(page.getByRole("button", { name: "Sign in as Owner to Keepsats" })).toBeVisible();
    expect(changes).toEqual([paths.desk.signInLink]);
    expect(await page.context().cookies()).toEqual([]);
    await forEachLook(page, async () => {
      await expectNoViolations(page);
      await expectNoHorizontalScrolling(page);
    });
  });
  await test.step("the click signs in, also a double one, and the secret has left the address", async () => {
    await page.getByRole("button", { name: "Sign in as Owner to Keepsats" }).dblclick();
    await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    expect(page.url()).toBe(`${desk.url}/`);
  });
  await test.step("every screen opens from the navigation", async () => {
    for (const screen of ["Orders", "Payments", "Items", "Settings", "Today"]) {
      await page.getByRole("navigation").getByRole("link", { name: screen }).click();
      await expect(page.getByRole("heading", { name: screen, level: 1 })).toBeVisible();
      await expect(page).toHaveTitle(`${screen} · Desk`);
    }
    await page.goto(`${desk.url}/nowhere`);
    await expect(page.getByText("There is no such page.")).toBeVisible();
  });
  await test.step("another link asks before it takes the place of the session", async () => {
    const name = `Bob ${randomUUID()}`;
    const other = await desk.invite(name);
    await page.goto(other);
    await expect(page.getByText("You are signed in as Owner.")).toBeVisible();
    expect(page.url()).toBe(`${desk.url}/sign-in`);
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
    await expect(page.getByText("Owner", { exact: true })).toBeVisible();
    await desk.enter(page, other);
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
    await forEachLook(page, async () => {
      await expectNoViolations(page);
      await expectNoHorizontalScrolling(page);
    });
  });
});

test("a passkey is added in the settings, signs in, is removed, and signs in no more", async ({
  page,
  desk,
  console,
}) => {
  console.expect(/status of 40[134]/);
  await addAuthenticator(page);
  // A member of staff of its own: the owner is shared by the tests of a worker, and a passkey
  // stays.
  await desk.enter(page, await desk.invite(`Eve ${randomUUID()}`));
  await page.goto(`${desk.url}/settings/sessions`);
  const own = page.getByRole("region", { name: "Your passkeys" });
  await expect(own.getByText("You have none: each sign-in needs a new link.")).toBeVisible();
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await expect(own.getByText("Passkey added.")).toBeVisible();
  await expect(own.getByRole("listitem")).toContainText("not used yet");
  await expect(page.getByRole("complementary", { name: "Passkey" })).toBeHidden();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.goto(`${desk.url}/settings/sessions`);

  await own.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("dialog")).toContainText("It is your last one");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(own.getByText("You have none: each sign-in needs a new link.")).toBeVisible();
  await expect(own.getByText("Passkey added.")).toBeHidden();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("The shop does not know this passkey.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
});

test("a passkey is renamed by its holder, and removed by an owner after a question", async ({
  page,
  desk,
  browser,
}) => {
  const name = `Ida ${randomUUID()}`;
  await addAuthenticator(page);
  await desk.enter(page, await desk.invite(name));
  await page.goto(`${desk.url}/settings/sessions`);
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
  await desk.open(owner, "/settings/staff");
  await owner.getByRole("button", { name: `Passkeys of ${name}` }).click();
  await expect(owner.getByRole("list", { name: `Passkeys of ${name}` })).toContainText("Blue key");
  await expectNoViolations(owner);
  await owner.getByRole("button", { name: `Remove Blue key of ${name}` }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(owner.getByText(`${name} has none: each sign-in needs a new link.`)).toBeVisible();
  await owner.close();
  await expect(own.getByText("You have none: each sign-in needs a new link.")).toBeVisible();
});

test("a lost connection is shown, opened again by itself, and loads what could not be loaded", async ({
  page,
  desk,
  shop,
  console,
}) => {
  console.expect(/net::ERR_|WebSocket|Failed to fetch/);
  await desk.open(page, "/payments");
  await expect(page.getByRole("heading", { name: "Payments" })).toBeVisible();
  await page.route("**/assets/orders-screen*", (route) => route.abort("connectionreset"));
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("alert")).toContainText("This page could not be shown.");
  await page.unroute("**/assets/orders-screen*");
  const disconnected = page.getByText("Disconnected, trying again", { exact: true });
  await page.context().setOffline(true);
  await expect(disconnected).toBeVisible({ timeout: 5_000 });
  const held = Promise.withResolvers<void>();
  await page.route("**/api/merchant/today", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.context().setOffline(false);
  await expect(page.getByText("Connecting", { exact: true })).toBeVisible({ timeout: 5_000 });
  held.resolve();
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 5_000 });
  await page.unroute("**/api/merchant/today");
  await shop.kill();
  await expect(disconnected).toBeVisible();
  await shop.start();
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "Orders" })).toBeVisible();
  await expect(page.getByText("could not be shown")).toBeHidden();
});
