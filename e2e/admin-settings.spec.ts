import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible, expectUncovered } from "./fixtures/page-checks.ts";

/** A picture of one pixel. */
const logo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const settingsRoute = "**/api/admin/settings";

test("the failure of a save is shown although its changes were discarded during the save", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/ERR_FAILED/);
  const answer = Promise.withResolvers<void>();
  await admin.open(page, "/settings");
  await page.route(settingsRoute, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    await answer.promise;
    await route.abort();
  });
  await page.getByLabel("Greeting").fill("Dear customer");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("button", { name: "Saving…" })).toBeVisible();
  answer.resolve();
  await expect(page.getByRole("alert").filter({ hasText: "could not be reached" })).toBeVisible();
});

test("shop settings are saved, show a colleague's changes, and ask before unsaved changes are left", async ({
  page,
  admin,
  shop,
  console,
}) => {
  await shop.setSettings({ name: "Before", greeting: "Before" });
  await admin.open(page, "/settings");
  const name = page.getByLabel("Name", { exact: true });
  const save = page.getByRole("button", { name: "Save", exact: true });

  await test.step("at a zoom of 200 % the buttons do not cover a field", async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    for (const label of ["Greeting", "Name"]) {
      await page.getByLabel(label, { exact: true }).focus();
      await expectUncovered(page.getByLabel(label, { exact: true }));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step("the preview follows the input, and saving stores it", async () => {
    await page.getByLabel("Greeting").fill("Dear customer");
    await expect(page.getByLabel("Preview of the shop")).toContainText("Dear customer");
    await save.click();
    await expect(page.getByText("Settings saved")).toBeVisible();
    // The notice does not cover the status.
    await page.getByText("Everything is saved.").click({ trial: true });
    expect(await shop.setting("greeting")).toBe("Dear customer");
  });
  await test.step("a dark accent gets light text, and an invalid colour is not saved", async () => {
    const accent = page.getByLabel("Accent", { exact: true });
    await page.getByLabel("Pick the accent").fill("#7a1f1f");
    await expect(accent).toHaveValue("#7a1f1f");
    await expect(page.getByLabel("Preview of the shop").getByText("Proceed to Checkout")).toHaveCSS(
      "color",
      "rgb(255, 255, 255)",
    );
    await accent.fill("red");
    await save.click();
    await expect(page.getByText("It must be a colour such as #f7931a.")).toBeVisible();
    await expect(accent).toBeFocused();
    await accent.fill("#f7931b");
    await expect(page.getByText("It must be a colour")).toBeHidden();
    await page.getByRole("button", { name: "Discard changes" }).click();
  });
  await test.step("a colleague's change is shown, and the input is kept", async () => {
    await name.fill("Mine");
    await shop.setSettings({ name: "Theirs" });
    await expect(page.getByText("changed this while you were editing")).toBeVisible();
    await expect(name).toHaveValue("Mine");
    await save.click();
    await expect(page.getByText("Choose what to keep.")).toBeVisible();
    await page.getByRole("button", { name: "Keep mine: Name" }).click();
    await save.click();
    await expect(page.getByText("Everything is saved.")).toBeVisible();
    expect(await shop.setting("name")).toBe("Mine");
  });
  /** Stores a colleague's settings right before the next save. */
  async function changeBeforeSave(settings: Parameters<typeof shop.setSettings>[0]) {
    console.expect(/status of 409/);
    let isFirst = true;
    await page.route(settingsRoute, async (route) => {
      if (route.request().method() === "PUT" && isFirst) {
        isFirst = false;
        await shop.setSettings(settings);
      }
      await route.continue();
    });
  }
  await test.step("a colleague's change during the save is not overwritten", async () => {
    await changeBeforeSave({ name: "At once" });
    await name.fill("Mine too");
    await save.click();
    await expect(page.getByText("Choose what to keep.")).toBeVisible();
    await page.unroute(settingsRoute);
    expect(await shop.setting("name")).toBe("At once");
    await page.getByRole("button", { name: "Keep mine: Name" }).click();
    await save.click();
    await expect(page.getByText("Everything is saved.")).toBeVisible();
  });
  await test.step("a colleague's change to another field during the save is kept", async () => {
    await changeBeforeSave({ greeting: "At once" });
    await name.fill("Mine again");
    await save.click();
    await expect(page.getByText("Then save again.")).toBeVisible();
    await page.unroute(settingsRoute);
    await expect(page.getByLabel("Greeting")).toHaveValue("At once");
    await save.click();
    await expect(page.getByText("Everything is saved.")).toBeVisible();
    expect(await shop.setting("name")).toBe("Mine again");
    expect(await shop.setting("greeting")).toBe("At once");
  });
  await test.step("leaving with unsaved changes asks first", async () => {
    await name.fill("Half");
    await page.getByRole("link", { name: "Email", exact: true }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect(name).toHaveValue("Half");
    await page.getByRole("link", { name: "Email", exact: true }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page.getByRole("heading", { name: "Test email" })).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(name).toHaveValue("Mine again");
  });
  await test.step("the browser's Back and Forward ask too, and then leave", async () => {
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await name.fill("Half");
    await page.goBack();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(`${admin.url}/settings`);
    await expect(name).toHaveValue("Half");
    await page.goBack();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page).toHaveURL(`${admin.url}/settings/email`);
    await page.goBack();
    await expect(name).toHaveValue("Mine again");
    await name.fill("Half");
    await page.goForward();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(name).toHaveValue("Half");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.goForward();
    await expect(page).toHaveURL(`${admin.url}/settings/email`);
  });
});

test("webhooks, staff and tokens are created, show their secret once, and are removed after a confirmation", async ({
  page,
  admin,
}) => {
  await admin.open(page, "/settings/webhooks");
  const take = async (button: string, title: string, confirm: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("dialog", { name: title }).getByRole("button", { name: confirm }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
  };

  await test.step("a webhook is added, switched off, and removed", async () => {
    const url = "https://books.example/hooks";
    await page.getByRole("button", { name: "Add a webhook" }).click();
    await page.getByLabel("Address").fill(url);
    await page.getByRole("button", { name: "Add the webhook" }).click();
    await expect(page.getByLabel(`Secret of ${url}`)).toHaveValue(/^whsec_/);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Switch off ${url}` }).click();
    await expect(page.getByRole("button", { name: `Switch on ${url}` })).toBeVisible();
    await take(`Remove ${url}`, "Remove this webhook?", "Remove");
    await expect(page.getByText("No webhooks yet.")).toBeVisible();
  });
  await test.step("staff are invited and removed", async () => {
    await page.getByRole("link", { name: "Staff", exact: true }).click();
    await page.getByRole("button", { name: "Invite staff" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Zoe");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByLabel("Sign-in link for Zoe", { exact: true })).toHaveValue(
      /\/sign-in#/,
    );
    await page.getByRole("button", { name: "Done" }).click();
    await take("Remove Zoe", "Remove Zoe?", "Remove");
    await expect(page.getByRole("button", { name: "Remove Zoe", exact: true })).toHaveCount(0);
    await expect(page.locator("#main")).toBeFocused();
  });
  await test.step("a token is created and revoked", async () => {
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByLabel("Name", { exact: true }).fill("till");
    await page.getByRole("button", { name: "Create token" }).click();
    await expect(page.getByLabel("Token till")).toHaveValue(/\S{20}/);
    await page.getByRole("button", { name: "Done" }).click();
    await take("Revoke till", "Revoke the token till?", "Revoke");
    await expect(page.getByRole("button", { name: "Revoke till", exact: true })).toHaveCount(0);
  });
  await test.step("a form that is submitted twice saves once", async () => {
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/tokens")) sent += 1;
    });
    await page.getByLabel("Name", { exact: true }).fill("twice");
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(page.getByLabel("Token twice")).toHaveValue(/\S{20}/);
    expect(sent).toBe(1);
  });
});

test("an uploaded logo is shown in the preview, and in the shop once it is saved", async ({
  page,
  admin,
  shop,
  request,
}) => {
  await admin.open(page, "/settings");
  await page
    .getByLabel("Upload a logo")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await expect(page.getByRole("textbox", { name: "Logo" })).toHaveValue(/^\/pictures\//);
  const shown = page.getByLabel("Preview of the shop").locator("img");
  await expect(shown).toHaveJSProperty("complete", true);
  await expect(shown).not.toHaveJSProperty("naturalWidth", 0);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Everything is saved.")).toBeVisible();
  const address = /\/pictures\/[0-9a-f]{32}-\d+/.exec((await shop.setting("logo")) ?? "")?.[0];
  expect(address).toBeDefined();
  expect(await (await request.get(shop.url)).text()).toContain(address);
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await expect(page.getByRole("textbox", { name: "Logo" })).toHaveValue("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Everything is saved.")).toBeVisible();
});

test("an ended session shows the sign-in screen in its browser", async ({
  page,
  admin,
  browser,
  console,
}) => {
  console.expect(/WebSocket/);
  await admin.open(page, "/settings/sessions");
  const userAgent = "Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0";
  const context = await browser.newContext({ userAgent });
  const other = await context.newPage();
  await admin.enter(other, await admin.link());
  await expect(other.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "End the session of Owner, Firefox on Windows" }).click();
  await expect(other.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await expect(other.getByText("Your session has expired, or it was ended")).toBeVisible();
  await expect(page.getByText("Firefox on Windows")).toHaveCount(0);
  await context.close();
});

test("a test email and the waiting emails are sent on request", async ({ page, admin, shop }) => {
  const setFault = (kind: string) =>
    fetch(`${shop.sandboxUrl}/mailbox/fault`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind, seconds: 60 }),
    });
  await setFault("later");
  // Emails about paid orders are not rate limited, unlike those about unpaid ones.
  await placePaidOrder(shop);
  await admin.open(page, "/settings/email");
  const waiting = page.getByText(/^\d+ emails? (is|are) waiting to be sent\./);
  await expect(waiting).toBeVisible();
  for (const variable of ["MAIL_FROM", "SMTP_URL"])
    await expect(
      page.getByText(`Set by the environment variable ${variable} on the server.`),
    ).toBeVisible();
  await setFault("none");
  await page.getByRole("button", { name: "Send waiting emails now" }).click();
  await expect(waiting).toHaveCount(0, { timeout: 8_000 });
  await page.getByLabel("To").fill("ada@shop.example");
  await page.getByRole("button", { name: "Send a test email" }).click();
  await expect(page.getByText("The mail server has accepted the email")).toBeVisible();
  await expect(page.getByText("No failed deliveries.")).toBeVisible();
});

test("a mail server is saved after a check, whose failure is shown, and its password is not shown again", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of 409/);
  const stored = { source: "setting", host: "smtp.mail.example", port: 465, encryption: "tls" };
  let settings: object = { sender: null, server: null };
  const sent: unknown[] = [];
  await page.route("**/api/admin/mail/settings", async (route) => {
    const request = route.request();
    if (request.method() === "GET") return route.fulfill({ json: settings });
    sent.push(request.postDataJSON());
    if (sent.length === 1)
      return route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        json: {
          title: "The mail server cannot be used",
          status: 409,
          code: "mail_server_refused",
          detail: "Nothing was stored. The mail server could not be used: 535 no",
        },
      });
    settings = { sender: null, server: { ...stored, user: "shop" } };
    return route.fulfill({ json: settings });
  });
  await admin.open(page, "/settings/email");
  const save = page.getByRole("button", { name: "Check and save the server" });
  const password = page.getByLabel("Password");
  await page.getByLabel("Server", { exact: true }).fill("smtp.mail.example");
  await page.getByLabel("User").fill("shop");
  await save.click();
  await expect(page.getByText("It must not be empty.")).toBeVisible();
  await password.fill("s3cret");
  await save.click();
  await expect(page.getByText("The mail server could not be used: 535 no")).toBeVisible();
  await expect(password).toHaveValue("s3cret");
  await save.click();
  await expect(page.getByText("Mail server saved", { exact: true })).toBeVisible();
  await expect(password).toHaveValue("");
  const login = { user: "shop", password: "s3cret" };
  expect(sent.at(-1)).toEqual({
    server: { host: "smtp.mail.example", port: 465, encryption: "tls", login },
  });
  await expect(page.getByRole("button", { name: "Remove the server" })).toBeVisible();
  await expectFitAndAccessible(page);
});

test("each section fits and is accessible at every size and colour scheme", async ({
  page,
  admin,
}) => {
  await admin.open(page, "/settings");
  const sections = page.getByRole("navigation", { name: "Settings" });
  for (const section of [
    "Shop",
    "Email",
    "Webhooks",
    "Staff",
    "Sessions",
    "API tokens",
    "Server settings",
  ]) {
    await sections.getByRole("link", { name: section, exact: true }).click();
    await expect(page).toHaveTitle(
      section === "Shop" ? "Settings · Admin" : `${section} · Settings · Admin`,
    );
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page.getByText("Loading…")).toHaveCount(0);
    await expectFitAndAccessible(page);
  }
});

test("staff see their own sessions, and a notice in the other sections", async ({
  page,
  admin,
}) => {
  await admin.enter(page, await admin.invite(`Bob ${randomUUID()}`));
  await page.goto(`${admin.url}/settings`);
  const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await expect(links).toHaveText(["Email", "Sessions"]);
  await expect(page).toHaveURL(`${admin.url}/settings/email`);
  await expect(page.getByText("Your role cannot send test emails. Ask an owner.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Mail server" })).toHaveCount(0);
  for (const section of ["/webhooks", "/staff", "/tokens", "/server"]) {
    await page.goto(`${admin.url}/settings${section}`);
    await expect(page.getByText(/^Your role cannot /)).toBeVisible();
  }
  await page.goto(`${admin.url}/settings/sessions`);
  await expect(page.getByRole("list", { name: "Sessions" }).getByRole("listitem")).toHaveCount(1);
});
