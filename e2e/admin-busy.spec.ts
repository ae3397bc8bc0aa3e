import type { Page } from "@playwright/test";
import { type Admin, expect, test } from "./fixtures/admin.ts";

const SHOWN = 50;
const NEW = 200;
/** The number of concurrent requests of the test. */
const AT_ONCE = 16;

/** Does something `count` times, with {@link AT_ONCE} in parallel. */
async function repeat(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function placeOrder(shopUrl: string, name: string): Promise<string> {
  const address = {
    street: "1 Street",
    city: "City",
    state: "State",
    postal_code: "1",
    country: "Country",
  };
  const response = await fetch(`${shopUrl}/api/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      items: [{ item_id: "moka-pot", quantity: 1 }],
      customer_name: name,
      customer_email: "ada@example.org",
      shipping_address: address,
      billing_address: address,
    }),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()).id;
}

/** Counts the live messages and the requests for rows of a page from now on. */
function countTraffic(page: Page, messages: () => number) {
  const before = messages();
  const traffic = { requests: 0, open: 0, mostOpen: 0, messages: () => messages() - before };
  const isForRows = (url: string) => /\/api\/admin\/orders(\?|$)/.test(url);
  page.on("request", (request) => {
    if (!isForRows(request.url())) return;
    traffic.requests += 1;
    traffic.open += 1;
    traffic.mostOpen = Math.max(traffic.mostOpen, traffic.open);
  });
  const ended = (request: { url(): string }) => {
    if (isForRows(request.url())) traffic.open -= 1;
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return traffic;
}

/**
 * Records in each frame which order's row is at a point of the page.
 *
 * @returns a function that reports the orders so far and the number of frames
 */
async function watchPlace(page: Page, place: { x: number; y: number }) {
  await page.evaluate(({ x, y }) => {
    const seen = { orders: new Set<string>(), frames: 0 };
    Object.assign(window, { seen });
    const look = () => {
      const row = document.elementFromPoint(x, y)?.closest("tr");
      seen.orders.add(row?.querySelector("[data-order]")?.getAttribute("data-order") ?? "none");
      seen.frames += 1;
      requestAnimationFrame(look);
    };
    look();
  }, place);
  return () =>
    page.evaluate(() => {
      const { orders, frames } = Reflect.get(window, "seen");
      return { orders: [...orders].map(String), frames: Number(frames) };
    });
}

const cancel = (admin: Admin, id: string) =>
  admin.call(`orders/${id}/transitions`, { to: "Cancelled" });

test("many changes are throttled: the rows keep their places and end up current", async ({
  page,
  admin,
  shop,
}) => {
  test.setTimeout(180_000);
  const shown: string[] = [];
  await repeat(SHOWN, async (number) => {
    shown[number] = await placeOrder(shop.url, "Shown");
  });
  let messages = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", () => {
      messages += 1;
    }),
  );
  await admin.open(page, "/orders");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(SHOWN);
  const pointed = rows.nth(4);
  await pointed.hover();
  const box = await pointed.boundingBox();
  const seen = await watchPlace(page, {
    x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
    y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
  });
  const traffic = countTraffic(page, () => messages);

  const start = performance.now();
  await repeat(NEW, async (number) => {
    const id = await placeOrder(shop.url, "Crowd");
    if (number % 2 === 0) await cancel(admin, id);
    const known = shown[number];
    if (known !== undefined && number % 5 !== 0) await cancel(admin, known);
  });
  const first = await placeOrder(shop.url, "The last one");
  const seconds = (performance.now() - start) / 1_000;

  await test.step("the rows show the current orders", async () => {
    await expect(page.getByRole("button", { name: /new orders$/ })).toBeVisible();
    await expect(rows.filter({ hasText: "Cancelled" })).toHaveCount(SHOWN - SHOWN / 5);
    await expect(rows).toHaveCount(SHOWN);
    for (const [number, id] of shown.entries())
      await expect(rows.filter({ hasText: id.slice(0, 8) })).toContainText(
        number % 5 === 0 ? "Pending" : "Cancelled",
      );
  });
  await test.step("messages and requests were few, and no row moved under the pointer", async () => {
    const { orders } = await seen();
    expect(orders).toHaveLength(1);
    expect(orders).not.toContain("none");
    expect(traffic.messages()).toBeLessThanOrEqual(4 * seconds + 10);
    expect(traffic.requests).toBeLessThanOrEqual(4 * seconds + 10);
    expect(traffic.mostOpen).toBe(1);
  });
  await test.step("new orders are shown on request", async () => {
    const button = page.getByRole("button", { name: /new orders?$/ });
    await expect(async () => {
      // More orders may arrive after the first click.
      if (await button.isVisible()) await button.click();
      await expect(rows.first()).toContainText(first.slice(0, 8), { timeout: 1_000 });
    }).toPass();
    await expect(rows.first()).toContainText("Pending");
    await expect(button).toBeHidden();
  });
});
