import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { placeOrder } from "../test/harness/customer.ts";
import { isSignedWith, startReceiver } from "../test/harness/receiver.ts";
import { expect, test } from "./fixtures/desk.ts";

/** The server does what the next change at `path` asks, and its answer is lost. */
async function loseAnswer(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost || route.request().method() === "GET") return route.fallback();
    isLost = true;
    expect((await route.fetch()).ok()).toBe(true);
    await route.abort();
  });
}

test("a webhook is tested, edited, signed anew, and what did not arrive is sent again", async ({
  page,
  desk,
  shop,
  console,
}) => {
  // Nobody is signed in yet. The deliveries may be read once more after the webhook is deleted,
  // before it leaves the screen.
  console.expect(/status of 40[14]/);
  console.expect(/ERR_FAILED/);
  const held: ServerResponse[] = [];
  let isHolding = false;
  const receiver = await startReceiver((response) => {
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  await desk.open(page, "/settings/webhooks");
  const deliveries = page.getByRole("list", { name: /^Deliveries to/ }).getByRole("listitem");
  const dialog = page.getByRole("dialog");
  const secretIn = (label: string) => page.getByLabel(label).inputValue();

  const secret =
    await test.step("a test arrives with its signature, and the list says so by itself", async () => {
      await page.getByRole("button", { name: "Add a webhook" }).click();
      await page.getByLabel("Address").fill(receiver.url);
      const add = page.getByRole("button", { name: "Add the webhook" });
      const edits = page.getByRole("button", { name: `Edit ${receiver.url}` });
      await loseAnswer(page, "**/api/merchant/webhooks");
      await add.click();
      await expect(page.getByText("could not be reached")).toBeVisible();
      await expect(edits).toHaveCount(1);
      await add.click();
      const shown = await secretIn(`Secret of ${receiver.url}`);
      await page.getByRole("button", { name: "I have it" }).click();
      const { webhooks } = Object(await desk.call("webhooks"));
      expect(webhooks, "a repeated request adds no second one").toHaveLength(1);
      await page.getByRole("button", { name: `Test ${receiver.url}` }).click();
      await expect(deliveries).toHaveText([/^Webhook: testDelivered/]);
      expect(receiver.received.map((one) => isSignedWith(shown, one))).toEqual([true]);
      return shown;
    });

  const url = `${receiver.url}/orders`;
  await test.step("its address and its events are edited", async () => {
    await page.getByRole("button", { name: `Edit ${receiver.url}` }).click();
    await dialog.getByLabel("Address").fill(url);
    await dialog.getByLabel("All, also those of later versions").click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Choose at least one event");
    await dialog.getByLabel("An order was placed").click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("list", { name: "Webhooks" })).toContainText("On, 1 event");
  });

  await test.step("what somebody else changes while the form is open stays", async () => {
    const { webhooks } = Object(await desk.call("webhooks"));
    const path = `${desk.url}/api/merchant/webhooks/${webhooks[0].id}`;
    const patch = async (data: object) =>
      expect(
        (await page.request.patch(path, { headers: { origin: desk.url }, data })).status(),
      ).toBe(200);
    await page.getByRole("button", { name: `Edit ${url}` }).click();
    await dialog.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/paid`);
    await patch({ events: ["order.placed", "order.paid"] });
    await expect(page.getByText("On, 2 events")).toBeAttached();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: `Edit ${receiver.url}/paid` })).toBeVisible();
    await expect(page.getByText("On, 2 events")).toBeVisible();

    await page.getByRole("button", { name: `Edit ${receiver.url}/paid` }).click();
    await dialog.getByLabel("The order is paid").click();
    await patch({ url });
    await expect(page.getByText(url, { exact: true })).toBeAttached();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("On, 1 event")).toBeVisible();
    await expect(page.getByRole("button", { name: `Edit ${url}` })).toBeVisible();
  });

  await test.step("a new secret signs beside the earlier one, also when its first answer was lost", async () => {
    await loseAnswer(page, "**/secret");
    await page.getByRole("button", { name: `Make a new secret for ${url}` }).click();
    await expect(page.getByText("could not be reached")).toBeVisible();
    await page.getByRole("button", { name: `Make a new secret for ${url}` }).click();
    const another = await secretIn(`New secret of ${url}`);
    await page.getByRole("button", { name: "I have it" }).click();
    await expect(page.getByText("signs with the earlier secret too until")).toBeVisible();
    await page.getByRole("button", { name: `Test ${url}` }).click();
    await expect(deliveries).toHaveText([/^Webhook: testDelivered/, /^Webhook: testDelivered/]);
    const last = receiver.received.at(-1);
    expect([secret, another].map((one) => last && isSignedWith(one, last))).toEqual([true, true]);
  });

  const orders =
    await test.step("a receiver that is gone is switched off, and the list says what did not arrive", async () => {
      isHolding = true;
      const placed = [await placeOrder(shop), await placeOrder(shop), await placeOrder(shop)];
      await expect.poll(() => held.length).toBe(3);
      for (const response of held) response.writeHead(410).end("moved away");
      isHolding = false;
      await expect(page.getByText("Switched off by the shop: It answered 410 Gone.")).toBeVisible();
      await expect(deliveries.filter({ hasText: "Not delivered: 410 moved away" })).toHaveCount(3);
      await page.getByRole("button", { name: `Switch on ${url}` }).click();
      await expect(page.getByRole("button", { name: `Switch off ${url}` })).toBeVisible();
      return placed.map(({ id }) => id.slice(0, 8));
    });

  await test.step("one is sent again, then all that are left", async () => {
    const of = (id: string | undefined) => deliveries.filter({ hasText: `order ${id}` });
    await page
      .getByRole("button", { name: `Send again: Webhook: placed, order ${orders[1]}` })
      .click();
    await expect(of(orders[1])).toContainText("Delivered");
    await expect(of(orders[0])).toContainText("Not delivered");
    await page.getByRole("button", { name: "Retry failed deliveries" }).click();
    for (const id of orders) await expect(of(id)).toContainText("Delivered");
    await expect(page.getByRole("button", { name: "Retry failed deliveries" })).toBeHidden();
    await expect(page.locator("#main")).toBeFocused();
    expect(receiver.received.filter(({ type }) => type === "order.placed")).toHaveLength(6);
  });

  await page.getByRole("button", { name: `Delete ${url}` }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: `Delete ${url}` })).toHaveCount(0);
  await receiver.close();
});
