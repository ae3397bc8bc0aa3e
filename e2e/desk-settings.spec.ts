import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures/desk.ts";
import { placePaidOrder } from "./fixtures/orders.ts";
import {
  expectNoHorizontalScrolling,
  expectNoViolations,
  expectUncovered,
  forEachLook,
} from "./fixtures/page-checks.ts";

/** A picture of one pixel. */
const logo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const settingsRoute = "**/api/merchant/settings";

test("shop settings are saved, tell what somebody else has changed, and ask before they are left", async ({
  page,
  desk,
  shop,
  console,
}) => {
  await shop.setSettings({ name: "Before", greeting: "Before" });
  await desk.open(page, "/settings");
  const name = page.getByLabel("Name", { exact: true });
  const save = page.getByRole("button", { name: "Save", exact: true });

  await test.step("at a zoom of 200 % the buttons cover no field", async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    for (const label of ["Greeting", "Name"]) {
      await page.getByLabel(label, { exact: true }).focus();
      await expectUncovered(page.getByLabel(label, { exact: true }));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step("the preview follows what is typed, and saving keeps it", async () => {
    await page.getByLabel("Greeting").fill("Dear shopper");
    await expect(page.getByLabel("Preview of the shop")).toContainText("Dear shopper");
    await save.click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    // The notice does not cover it.
    await page.getByText("Everything is saved.").click({ trial: true });
    expect(await shop.setting("greeting")).toBe("Dear shopper");
  });
  await test.step("a dark accent gets light text, and an invalid colour is not saved", async () => {
    const accent = page.getByLabel("Accent", { exact: true });
    await accent.fill("#7a1f1f");
    await expect(page.getByText("Buttons in this colour get light text")).toBeVisible();
    await expect(page.getByLabel("Preview of the shop").getByText("Proceed to Checkout")).toHaveCSS(
      "color",
      "rgb(255, 255, 255)",
    );
    await accent.fill("red");
    await save.click();
    await expect(page.getByText("It must be a colour such as #f7931a.")).toBeVisible();
    await expect(accent).toBeFocused();
    await accent.fill("#f7931b");
    await expect(page.getByText("Buttons in this colour get dark text")).toBeVisible();
    await expect(page.getByText("It must be a colour")).toBeHidden();
    await page.getByRole("button", { name: "Discard changes" }).click();
  });
  await test.step("a late change of somebody else is told, and nothing typed is lost", async () => {
    await name.fill("Mine");
    await shop.setSettings({ name: "Theirs" });
    await expect(page.getByText("has changed this meanwhile")).toBeVisible();
    await expect(name).toHaveValue("Mine");
    await save.click();
    await expect(page.getByText("Choose what to keep.")).toBeVisible();
    await page.getByRole("button", { name: "Keep mine: Name" }).click();
    await save.click();
    await expect(page.getByText("Everything is saved.")).toBeVisible();
    expect(await shop.setting("name")).toBe("Mine");
  });
  await test.step("a change of somebody else at the very moment of saving is not overwritten", async () => {
    console.expect(/status of 409/);
    let isFirst = true;
    await page.route(settingsRoute, async (route) => {
      if (route.request().method() === "PUT" && isFirst) {
        isFirst = false;
        await shop.setSettings({ name: "At once" });
      }
      await route.continue();
    });
    await name.fill("Mine too");
    await save.click();
    await expect(page.getByText("Choose what to keep.")).toBeVisible();
    await page.unroute(settingsRoute);
    expect(await shop.setting("name")).toBe("At once");
    await page.getByRole("button", { name: "Keep mine: Name" }).click();
    await save.click();
    await expect(page.getByText("Everything is saved.")).toBeVisible();
  });
  await test.step("leaving with changes asks first", async () => {
    await name.fill("Half");
    await page.getByRole("link", { name: "Email", exact: true }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect(name).toHaveValue("Half");
    await page.getByRole("link", { name: "Email", exact: true }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page.getByRole("heading", { name: "Test email" })).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(name).toHaveValue("Mine too");
  });
  await test.step("so do Back and Forward of the browser, and then they lead where they lead", async () => {
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await name.fill("Half");
    await page.goBack();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(`${desk.url}/settings`);
    await expect(name).toHaveValue("Half");
    await page.goBack();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page).toHaveURL(`${desk.url}/settings/mail`);
    await page.goBack();
    await expect(name).toHaveValue("Mine too");
    await name.fill("Half");
    await page.goForward();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(name).toHaveValue("Half");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.goForward();
    await expect(page).toHaveURL(`${desk.url}/settings/mail`);
  });
});

test("webhooks, staff and tokens are made, shown their secret once, and taken away after a question", async ({
  page,
  desk,
}) => {
  await desk.open(page, "/settings/webhooks");
  const take = async (button: string, title: string, confirm: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("dialog", { name: title }).getByRole("button", { name: confirm }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
  };

  await test.step("a webhook is added, switched off, and deleted", async () => {
    const url = "https://books.example/hooks";
    await page.getByRole("button", { name: "Add a webhook" }).click();
    await page.getByLabel("Address").fill(url);
    await page.getByRole("button", { name: "Add the webhook" }).click();
    await expect(page.getByLabel(`Secret of ${url}`)).toHaveValue(/^whsec_/);
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("button", { name: `Switch off ${url}` }).click();
    await expect(page.getByRole("button", { name: `Switch on ${url}` })).toBeVisible();
    await take(`Delete ${url}`, "Delete this webhook?", "Delete");
    await expect(page.getByText("No other system is told")).toBeVisible();
  });
  await test.step("somebody is invited and withdrawn", async () => {
    await page.getByRole("link", { name: "Staff", exact: true }).click();
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Zoe");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByLabel("Sign-in link for Zoe", { exact: true })).toHaveValue(
      /\/sign-in#/,
    );
    await page.getByRole("button", { name: "I have it" }).click();
    await take("Withdraw Zoe", "Withdraw Zoe?", "Withdraw");
    await expect(page.getByRole("button", { name: "Withdraw Zoe", exact: true })).toHaveCount(0);
    await expect(page.locator("#main")).toBeFocused();

    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Max");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = page.getByLabel("Sign-in link for Max", { exact: true });
    await expect(link).toHaveValue(/\/sign-in#/);
    await take("Withdraw Max", "Withdraw Max?", "Withdraw");
    await expect(link, "a link that does not work any more").toHaveCount(0);
  });
  await test.step("a token is made and withdrawn", async () => {
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByLabel("Name", { exact: true }).fill("till");
    await page.getByRole("button", { name: "Make a token" }).click();
    await expect(page.getByLabel("Token till")).toHaveValue(/\S{20}/);
    await page.getByRole("button", { name: "I have it" }).click();
    await take("Withdraw till", "Withdraw the token till?", "Withdraw");
    await expect(page.getByRole("button", { name: "Withdraw till", exact: true })).toHaveCount(0);
  });
});

test("a form that is submitted twice at once saves once", async ({ page, desk }) => {
  await desk.open(page, "/settings/tokens");
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

test("an uploaded logo is seen in the preview, and in the shop once it is saved", async ({
  page,
  desk,
  shop,
  request,
}) => {
  await desk.open(page, "/settings");
  await page
    .getByLabel("Upload a logo")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await expect(page.getByText("An uploaded picture.")).toBeVisible();
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

test("a session that is ended leaves its browser with the sign-in", async ({
  page,
  desk,
  browser,
  console,
}) => {
  console.expect(/WebSocket/);
  await desk.open(page, "/settings/sessions");
  const userAgent = "Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0";
  const context = await browser.newContext({ userAgent });
  const other = await context.newPage();
  await desk.enter(other, await desk.link());
  await expect(other.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "End the session of Owner, Firefox on Windows" }).click();
  await expect(other.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await expect(other.getByText("Your session has ended.")).toBeVisible();
  await expect(page.getByText("Firefox on Windows")).toHaveCount(0);
  await context.close();
});

test("a test email and the waiting emails are sent on request", async ({ page, desk, shop }) => {
  const setFault = (kind: string) =>
    fetch(`${shop.lenderUrl}/mailbox/fault`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind, seconds: 60 }),
    });
  await setFault("later");
  // Emails about paid orders are not limited: earlier tests may have used up those about unpaid
  // ones.
  await placePaidOrder(shop);
  await desk.open(page, "/settings/mail");
  const waiting = page.getByText(/^\d+ emails? (is|are) waiting to be sent\./);
  await expect(waiting).toBeVisible();
  await setFault("none");
  await page.getByRole("button", { name: "Send waiting emails now" }).click();
  await expect(waiting).toHaveCount(0, { timeout: 8_000 });
  await page.getByLabel("To").fill("ada@shop.example");
  await page.getByRole("button", { name: "Send a test email" }).click();
  await expect(page.getByText("The mail server has accepted the email")).toBeVisible();
  await expect(page.getByText("Everything has arrived so far.")).toBeVisible();
});

test("each section is right on a phone and in the dark, for screen readers too", async ({
  page,
  desk,
}) => {
  await desk.open(page, "/settings");
  const sections = page.getByRole("navigation", { name: "Settings" });
  for (const section of [
    "Shop",
    "Email",
    "Webhooks",
    "Staff",
    "Sessions",
    "API tokens",
    "Machine",
  ]) {
    await sections.getByRole("link", { name: section, exact: true }).click();
    await expect(page).toHaveTitle(
      section === "Shop" ? "Settings · Desk" : `${section} · Settings · Desk`,
    );
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page.getByText("Loading…")).toHaveCount(0);
    await forEachLook(page, async () => {
      await expectNoViolations(page);
      await expectNoHorizontalScrolling(page);
    });
  }
});

test("staff see their own sessions, and of the rest who may change it", async ({ page, desk }) => {
  await desk.enter(page, await desk.invite(`Bob ${randomUUID()}`));
  await page.goto(`${desk.url}/settings`);
  const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await expect(links).toHaveText(["Email", "Sessions"]);
  await expect(page).toHaveURL(`${desk.url}/settings/mail`);
  await expect(page.getByText("Your role cannot send test emails. Ask an owner.")).toBeVisible();
  for (const section of ["/webhooks", "/staff", "/tokens", "/machine"]) {
    await page.goto(`${desk.url}/settings${section}`);
    await expect(page.getByText(/^Your role cannot /)).toBeVisible();
  }
  await page.goto(`${desk.url}/settings/sessions`);
  await expect(page.getByRole("list", { name: "Sessions" }).getByRole("listitem")).toHaveCount(1);
});
