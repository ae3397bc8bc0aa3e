import type { Page } from "@playwright/test";
import { type PlacedOrder, placePaidOrder } from "./fixtures/orders.ts";
import { expect, test } from "./fixtures/test.ts";

test.describe("toasts are as specified:", () => {
  const toasts = (page: Page) => page.locator("[data-sonner-toast]");

  /** Opens an order page and stops its clock: time passes only by `page.clock`. */
  async function stopTheClock(page: Page, { link }: PlacedOrder): Promise<void> {
    await page.clock.install();
    await page.goto(link);
    await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await page.clock.runFor(1_000);
    await expect(toasts(page)).toHaveCount(0);
  }

  /** Copies the link and advances the clock in small steps until there are `count` toasts. */
  async function copyLink(page: Page, count: number): Promise<void> {
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(5);
        return toasts(page).count();
      })
      .toBe(count);
  }

  test("shown for 4 seconds, 356 px wide, 14 px apart, at most three, and Alt+T focuses them", async ({
    page,
    shop,
  }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await stopTheClock(page, await placePaidOrder(shop));
    await copyLink(page, 1);
    await page.clock.runFor(3_850);
    await expect(page.locator("[data-sonner-toast][data-removed=false]")).toHaveCount(1);
    await page.clock.runFor(400);
    await expect(toasts(page)).toHaveCount(0);

    for (let copies = 1; copies <= 4; copies += 1) await copyLink(page, copies);
    await expect(page.locator("[data-sonner-toast][data-visible=true]")).toHaveCount(3);
    expect((await toasts(page).first().boundingBox())?.width).toBe(356);
    const list = page.locator("[data-sonner-toaster]");
    expect(
      await list.evaluate((element) => getComputedStyle(element).getPropertyValue("--gap")),
    ).toBe("14px");
    await page.keyboard.press("Alt+KeyT");
    await expect(list).toBeFocused();
  });
});
