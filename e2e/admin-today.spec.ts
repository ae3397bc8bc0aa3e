import { currentSessionSchema, periodLengths, type Today, todaySchema } from "@keepsats/protocol";
import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { placeOrder } from "../test/harness/customer.ts";
import { type Admin, expect, test } from "./fixtures/admin.ts";
import { expectFitAndAccessible, expectNoHorizontalScrolling } from "./fixtures/page-checks.ts";

const DAY = 24 * 60 * 60_000;

/** Opens Today with parts of the server's response replaced. */
async function openWith(page: Page, admin: Admin, part: Partial<Today>): Promise<void> {
  await page.route("**/api/admin/today", async (route) => {
    const today = todaySchema.parse(await (await route.fetch()).json());
    await route.fulfill({ json: z.encode(todaySchema, { ...today, ...part }) });
  });
  await admin.open(page, "/");
}

/** The figures of a shop after a busy month, with every kind of task. */
const busy: Partial<Today> = {
  to_ship: 3,
  payment_issues: 5,
  refunds_due: { orders: 2, amount: 9_000 },
  failed_deliveries: 4,
  low_stock: 2,
  sold_out: 1,
  orders_by_status: [{ status: "Delivered", orders: 300 }],
  days: Array.from({ length: 30 }, (_, n) => ({
    day: new Date(Date.UTC(2026, 9, 25) + n * DAY).toISOString().slice(0, 10),
    placed: (n * 7) % 23,
    paid: (n * 7) % 11 && (n * 5) % 7,
    paid_amount: ((n * 5) % 7) * 45_990,
  })),
  order_to_payment: [
    { within: 60_000, orders: 40 },
    { within: 300_000, orders: 61 },
    { within: null, orders: 7 },
  ],
  loans: { active: 12, paid_out: 1_080_000, ended: 9, unknown: 1 },
  provider: { state: "away", last_complete_sweep_at: Date.UTC(2026, 10, 23, 10) },
  mail: { configured: true, state: "ok", waiting: 3, failed: 1 },
  low_items: [
    { id: "enamel-mug", name: "Enamel Mug", picture: "/pictures/enamel-mug.svg", stock: 0 },
    { id: "oak-chair", name: "Oak Chair", picture: "/pictures/oak-chair.svg", stock: 2 },
  ],
  periods: periodLengths.map((days) => ({
    days,
    orders: 12 * days,
    orders_before: 10 * days,
    revenue: 45_990 * days,
    revenue_before: 91_980 * days,
    to_ship_before: 2,
  })),
};

test("each task links to the screen that lists it", async ({ page, admin }) => {
  await openWith(page, admin, busy);
  const lines: readonly (readonly [string, string])[] = [
    ["5 payments need attention, 2 refunds due: $90.00", "/payments"],
    ["3 orders to ship", "/orders?status=PaymentProcessed"],
    ["1 email and 3 webhook messages did not arrive", "/settings/email"],
    ["1 item sold out", "/items?stock=none"],
    ["2 items low in stock", "/items?stock=low"],
  ];
  const links = page.getByRole("region", { name: "To do" }).getByRole("link");
  await expect(links).toHaveText(lines.map(([text]) => text));
  for (const [text, path] of lines) {
    await page.getByRole("link", { name: text, exact: true }).click();
    await expect(page).toHaveURL(`${admin.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/Today|Not found/);
    await page.goBack();
  }
});

test("the large figures, best sellers and low stock are those of the chosen period", async ({
  page,
  admin,
}) => {
  await page.route("**/api/admin/best-sellers?days=*", (route) => {
    const days = new URL(route.request().url()).searchParams.get("days");
    const item = {
      id: "moka-pot",
      name: `Moka Pot of ${days} days`,
      pieces: 1_200,
      revenue: 540,
    };
    return route.fulfill({ json: { items: [{ ...item, picture: "/pictures/moka-pot.svg" }] } });
  });
  await openWith(page, admin, busy);
  const figures = page.getByRole("region", { name: "Figures", exact: true });
  await expect(figures).toContainText("Orders12+20% vs. yesterday, same time");
  await expect(figures).toContainText("Revenue$459.90−50% vs. yesterday, same time");
  await expect(figures).toContainText("To ship3+50% vs. the end of yesterday");
  await page.getByRole("button", { name: "30 days", exact: true }).click();
  await expect(page).toHaveURL(/\?days=30$/);
  await expect(figures).toContainText("Orders360+20% vs. the 30 days before");
  await expect(page.getByRole("region", { name: "Best sellers" })).toContainText(
    "Moka Pot of 30 days1,200 pieces$540.00",
  );
  const low = page.getByRole("region", { name: "Low stock" }).getByRole("listitem");
  await expect(low).toHaveText(["Enamel Mugsold out", "Oak Chair2 left"]);
  await low.last().getByRole("link").click();
  await expect(page).toHaveURL(/\/items\?q=oak-chair$/);
  await page.goBack();
  await page.getByRole("link", { name: "3", exact: true }).click();
  await expect(page).toHaveURL(/\/orders\?status=PaymentProcessed$/);
});

test("without a loan in the last 30 days there are no tables about loans", async ({
  page,
  admin,
}) => {
  const loans = { active: 0, paid_out: 0, ended: 0, unknown: 0 };
  await openWith(page, admin, { ...busy, order_to_payment: [], loans });
  await expect(page.getByText("No orders were paid in the last 30 days.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Loans" }).getByRole("table")).toHaveCount(0);
});

test("the figures fit every window in both colour schemes, and the pointer shows a day", async ({
  page,
  admin,
}) => {
  await openWith(page, admin, busy);
  const plot = page.getByRole("img", { name: "Orders placed on each day" });
  await expect(plot).toBeVisible();
  await expect(page.getByText("The loan provider does not respond.")).toBeVisible();
  const expectPlot = async () => {
    const heights = await page
      .locator("figure rect")
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("height"))));
    expect(Math.max(...heights), "as large as browsers draw").toBeLessThanOrEqual(1_000);
  };
  await expectFitAndAccessible(page, { check: expectPlot });
  await page.setViewportSize({ width: 1920, height: 1000 });
  await expectNoHorizontalScrolling(page);

  const allDays = page.getByRole("region", { name: "All 30 days" });
  await expect(allDays).toContainText(/Orders\d+Paid\d+Received, less refunds\$/);
  await plot.scrollIntoViewIfNeeded();
  const before = await plot.boundingBox();
  await plot.hover({ position: { x: 2, y: 20 } });
  await expect(page.getByRole("region", { name: "Oct 25" })).toContainText("Orders0Paid0");
  await expect(allDays).toBeHidden();
  expect(await plot.boundingBox(), "nothing moves").toEqual(before);

  await page.getByText("As a table").click();
  const rows = page.getByRole("table", { name: "Last 30 days" }).getByRole("row");
  await expect(rows).toHaveCount(31);
  await expect(rows.nth(1)).toContainText("Nov 23");
});

test("a new shop shows its first steps instead of figures", async ({ page, admin }) => {
  const nothing = {
    to_ship: 0,
    payment_issues: 0,
    refunds_due: { orders: 0, amount: 0 },
    failed_deliveries: 0,
    low_stock: 0,
    sold_out: 0,
    orders_by_status: [],
  };
  // Other tests give this worker's shop a name and its owner a passkey.
  await page.route("**/api/auth/session", async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const session = currentSessionSchema.parse(await response.json());
    const fresh = { ...session, shop_name: "Keepsats", passkeys: [] };
    return route.fulfill({ json: z.encode(currentSessionSchema, fresh) });
  });
  await openWith(page, admin, nothing);
  await expect(page.getByText("Nothing to do.")).toBeVisible();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("link")).toHaveText([
    "Add a passkey",
    "Name the shop",
    "Invite staff",
  ]);
  await expect(page.getByRole("img")).toHaveCount(0);
  await expectFitAndAccessible(page);
});

test("Today shows that it could not be loaded, and tries again", async ({
  page,
  admin,
  console,
}) => {
  console.expect(/status of 500/);
  await page.route("**/api/admin/today", (route) => route.fulfill({ status: 500 }));
  await admin.open(page, "/");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Today's overview could not be loaded.");
  await page.unroute("**/api/admin/today");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "To do" })).toBeVisible();
  await expect(alert).toBeHidden();
});

test("a new order is counted without a reload", async ({ page, admin, shop }) => {
  const placed = (today: Today) => today.days.reduce((sum, day) => sum + day.placed, 0);
  const before = placed(todaySchema.parse(await admin.call("today")));
  await admin.open(page, "/");
  await placeOrder(shop);
  await expect(page.getByRole("region", { name: "All 30 days" })).toContainText(
    `Orders${before + 1}Paid`,
  );
  const last = page.getByRole("region", { name: "Last orders" }).getByRole("link");
  await last.first().click();
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}$/);
});
