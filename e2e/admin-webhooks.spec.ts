import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { placeOrder } from "../test/harness/customer.ts";
import { isSignedWith, startReceiver } from "../test/harness/receiver.ts";
import { expect, test } from "./fixtures/admin.ts";

/** The server makes the next change at `path`, and its response is lost. */
async function loseResponse(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost || route.request().method() === "GET") return route.fallback();
    isLost = true;
    expect((await route.fetch()).ok()).toBe(true);
    await route.abort();
  });
}

test("a webhook is tested, edited and gets a new secret, and failed deliveries are retried", async ({
  page,
  admin,
  shop,
  console,
}) => {
  // 401 before the sign-in. 404 if the deliveries are refetched between the deletion of the webhook
  // and its removal from the screen.
  console.expect(/status of 40[14]/);
  console.expect(/ERR_FAILED/);
  const held: ServerResponse[] = [];
  let isHolding = false;
  const receiver = await startReceiver((response) => {
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  await admin.open(page, "/settings/webhooks");
  const deliveries = page.getByRole("list", { name: /^Deliveries to/ }).getByRole("listitem");
  const dialog = page.getByRole("dialog");
  const secretIn = (label: string) => page.getByLabel(label).inputValue();

  const secret =
    await test.step("a test arrives with its signature, and the list shows it without a reload", async () => {
      await page.getByRole("button", { name: "Add a webhook" }).click();
      await page.getByLabel("Address").fill(receiver.url);
      const add = page.getByRole("button", { name: "Add the webhook" });
      const edits = page.getByRole("button", { name: `Edit ${receiver.url}` });
      await loseResponse(page, "**/api/admin/webhooks");
      await add.click();
      await expect(page.getByText("could not be reached")).toBeVisible();
      await expect(edits).toHaveCount(1);
      await add.click();
      const shown = await secretIn(`Secret of ${receiver.url}`);
      await page.getByRole("button", { name: "Done" }).click();
      const { webhooks } = Object(await admin.call("webhooks"));
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
    await dialog.getByLabel("All events, including those of later versions").click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Choose at least one event")).toBeVisible();
    await dialog.getByLabel("An order was placed").click();
    await expect(dialog.getByText("Choose at least one event")).toBeHidden();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("list", { name: "Webhooks" })).toContainText("On, 1 event");
  });

  await test.step("a colleague's change while the form is open is kept", async () => {
    const { webhooks } = Object(await admin.call("webhooks"));
    const path = `${admin.url}/api/admin/webhooks/${webhooks[0].id}`;
    const patch = async (data: object) =>
      expect(
        (await page.request.patch(path, { headers: { origin: admin.url }, data })).status(),
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

  await test.step("messages are signed with both secrets, also if the first response was lost", async () => {
    await loseResponse(page, "**/secret");
    await page.getByRole("button", { name: `Change secret of ${url}` }).click();
    await expect(page.getByText("could not be reached")).toBeVisible();
    await page.getByRole("button", { name: `Change secret of ${url}` }).click();
    const another = await secretIn(`New secret of ${url}`);
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("also signs with the previous secret until")).toBeVisible();
    await page.getByRole("button", { name: `Test ${url}` }).click();
    await expect(deliveries).toHaveText([/^Webhook: testDelivered/, /^Webhook: testDelivered/]);
    const last = receiver.received.at(-1);
    expect([secret, another].map((one) => last && isSignedWith(one, last))).toEqual([true, true]);
  });

  const orders =
    await test.step("a receiver that is gone is switched off, and the list shows the failed deliveries", async () => {
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

  await test.step("one delivery is resent, then all others are retried", async () => {
    const of = (id: string | undefined) => deliveries.filter({ hasText: `order ${id}` });
    await page.getByRole("button", { name: `Resend: Webhook: placed, order ${orders[1]}` }).click();
    await expect(of(orders[1])).toContainText("Delivered");
    await expect(of(orders[0])).toContainText("Not delivered");
    await page.getByRole("button", { name: "Retry failed deliveries" }).click();
    for (const id of orders) await expect(of(id)).toContainText("Delivered");
    await expect(page.getByRole("button", { name: "Retry failed deliveries" })).toBeHidden();
    await expect(page.locator("#main")).toBeFocused();
    expect(receiver.received.filter(({ type }) => type === "order.placed")).toHaveLength(6);
  });

  await page.getByRole("button", { name: `Remove ${url}` }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: `Remove ${url}` })).toHaveCount(0);
  await receiver.close();
});
