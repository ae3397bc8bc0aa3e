import { follow, placeOrder } from "../test/harness/client.ts";
import { type Desk, expect, test } from "./fixtures/desk.ts";
import { requestLoan } from "./fixtures/orders.ts";
import {
  expectNoHorizontalScrolling,
  expectNoViolations,
  forEachLook,
} from "./fixtures/page-checks.ts";
import type { Shop } from "./fixtures/shop.ts";

/**
 * Places an order, cancels it, and lets a loan pay it nevertheless, which becomes a mismatch.
 * @returns the order's id
 */
async function payCancelled(shop: Shop, desk: Desk): Promise<string> {
  const order = await placeOrder(shop);
  await desk.call(`orders/${order.id}/transitions`, { to: "Cancelled" });
  const contract = await requestLoan(shop, order);
  // The loan is checked for whoever follows its order, so nothing has to wait for the next sweep.
  const follower = await follow(shop, order.id, contract);
  await expect
    .poll(async () => JSON.stringify(await desk.call("mismatches?state=open")))
    .toContain(order.id);
  await follower.close();
  return order.id;
}

test("a mismatch says what happened, is given back with its refund, and is told to whoever is late", async ({
  page,
  shop,
  desk,
  console,
}) => {
  const given = await payCancelled(shop, desk);
  const explained = await payCancelled(shop, desk);
  await desk.open(page, "/payments");
  const card = (id: string) => page.getByRole("listitem").filter({ hasText: id.slice(0, 8) });
  const dialog = page.getByRole("dialog");

  await test.step("it says what happened and what to do", async () => {
    await expect(card(given)).toContainText("A loan was paid out for an order that is cancelled.");
    await expect(card(given)).toContainText("Give the money back");
    await expect(card(given)).toContainText("Ada Lovelace");
    await expect(card(given).getByRole("button", { name: /^Take as payment/ })).toHaveCount(0);
  });
  await forEachLook(page, async () => {
    await expectNoViolations(page);
    await expectNoHorizontalScrolling(page);
  });

  await test.step("a link of Today shows only the mismatches of one kind", async () => {
    await page.goto(`${desk.url}/payments?kind=refund-owed`);
    await expect(page.getByText("There is none of this kind.")).toBeVisible();
    await page.goto(`${desk.url}/payments?kind=paid-after-cancel`);
    await expect(card(given)).toBeVisible();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(page).toHaveURL(`${desk.url}/payments`);
  });

  await test.step("a part of the money is recorded, and the rest stays to be given back", async () => {
    await card(given)
      .getByRole("button", { name: /^Money given back/ })
      .click();
    await expect(dialog.getByLabel("Amount in dollars")).toBeFocused();
    await expect(dialog).toHaveAccessibleDescription(
      /^A loan was paid out for an order that is cancelled\./,
    );
    await dialog.getByLabel("Amount in dollars").fill("1");
    await dialog.getByLabel("What was done").fill("the first dollar in cash");
    await expect(dialog.getByText(/^\$[\d.]+ stays to be given back\.$/)).toBeVisible();
    const [, rest = ""] = /\$([\d.]+) stays/.exec((await dialog.textContent()) ?? "") ?? [];
    await test.step("also if its note is lost at first: trying again does not count the refund twice", async () => {
      console.expect(/ERR_FAILED/);
      await page.route("**/notes", (route) => route.abort(), { times: 1 });
      await dialog.getByRole("button", { name: "Record $1.00" }).click();
      await expect(dialog.getByText(/The shop could not be reached/)).toBeVisible();
      await expect(dialog).toContainText("$1.00 of this order is recorded as given back.");
      await expect(dialog).toContainText(
        "Sent: $1.00 by bank transfer. Sent again, it is recorded only once.",
      );
      await expect(dialog.getByLabel("Amount in dollars")).toHaveCount(0);
      await expect(dialog.getByText(/stays to be given back/)).toHaveText(
        `$${rest} stays to be given back.`,
      );
    });
    await dialog.getByRole("button", { name: "Record $1.00" }).click();
    await expect(page.getByText("$1.00 is recorded as given back.")).toBeVisible();
    await expect(page.getByText(`$${rest} stays to be given back.`)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(card(given)).toContainText("$1.00 is recorded as given back already");
    expect(JSON.stringify(await desk.call(`orders/${given}`))).toContain(
      "the first dollar in cash",
    );
  });

  await test.step("a refund that was not recorded is refused when a colleague has recorded another meanwhile", async () => {
    console.expect(/status of 409/);
    await card(given)
      .getByRole("button", { name: /^Money given back/ })
      .click();
    await dialog.getByLabel("What was done").fill("transferred");
    const shown = Number(await dialog.getByLabel("Amount in dollars").inputValue());
    await page.route("**/refunds", (route) => route.abort(), { times: 1 });
    await dialog.getByRole("button", { name: "Money given back" }).click();
    await expect(dialog.getByText(/The shop could not be reached/)).toBeVisible();
    await desk.call(`orders/${given}/refunds`, { amount: 2, method: "cash" });
    await expect(dialog).toContainText("$3.00 of this order is recorded as given back.");
    await expect(dialog).toContainText(`Sent: $${shown.toFixed(2)} by bank transfer.`);
    await dialog.getByRole("button", { name: "Money given back" }).click();
    await expect(dialog).toContainText("This refund was not recorded.");
    await expect(dialog.getByLabel("Amount in dollars")).toHaveValue((shown - 2).toFixed(2));
    expect(JSON.stringify(await desk.call(`orders/${given}`))).toMatch(/"given_back":3\b/);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close without saving" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("what is missing is recorded with the resolution", async () => {
    const [, owed] =
      /"still_owed":([\d.]+)/.exec(JSON.stringify(await desk.call(`orders/${given}`))) ?? [];
    await card(given)
      .getByRole("button", { name: /^Money given back/ })
      .click();
    await expect(dialog).toContainText("$3.00 of this order is recorded as given back.");
    await expect(dialog.getByLabel("Amount in dollars")).toHaveValue(Number(owed).toFixed(2));
    await dialog.getByRole("button", { name: "Money given back" }).click();
    await expect(dialog.getByText("Say in a few words what was done")).toBeVisible();
    await dialog.getByLabel("What was done").fill("transferred on Monday");
    // It is resolved, and the answer is lost.
    await page.route(
      "**/resolution",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole("button", { name: "Money given back" }).click();
    await expect(page.getByText("The mismatch is resolved.")).toBeVisible();
    await expect(card(given)).toHaveCount(0);
    const order = JSON.stringify(await desk.call(`orders/${given}`));
    expect(order).toMatch(/"owed":0\b/);
    expect(order).toContain("bank transfer");
  });

  await test.step("whoever is late is told, and what was typed stays", async () => {
    await card(explained)
      .getByRole("button", { name: /^Close with a note/ })
      .click();
    await dialog.getByLabel("What was done").fill("asked the provider");
    const open = JSON.stringify(await desk.call("mismatches?state=open"));
    const id = /"id":"([^"]+)"/.exec(
      open.slice(open.lastIndexOf('{"id"', open.indexOf(explained))),
    )?.[1];
    await desk.call(`mismatches/${id}/resolution`, { kind: "explained", note: "a gift" });
    await expect(dialog).toContainText("Dismissed by merchant: a gift");
    await expect(dialog).toContainText("You had written: asked the provider");
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  await test.step("both are among the resolved ones", async () => {
    await page.getByRole("button", { name: "Resolved" }).click();
    await expect(card(given)).toContainText("Money given back by Owner: transferred on Monday");
    await expect(card(explained)).toContainText("a gift");
  });
});
