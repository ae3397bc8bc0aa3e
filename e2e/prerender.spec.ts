import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/test.ts";

/** The positions of the parts that are visible first, in pixels. */
async function places(page: Page) {
  const parts = [
    page.getByRole("banner"),
    page.getByRole("heading", { name: "Our Products" }),
    page.getByTestId("skeleton").first(),
    page.getByTestId("skeleton").last(),
    page.getByRole("heading", { name: "Your Cart" }),
    page.getByRole("button", { name: "Proceed to Checkout" }),
  ];
  return Promise.all(parts.map((part) => part.boundingBox()));
}

/** Holds back the page's JavaScript. Returns a function that lets it load. */
async function holdCode(page: Page): Promise<() => void> {
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  return code.resolve;
}

for (const width of [360, 1280]) {
  test(`the shop page is shown before its JavaScript has loaded, and nothing shifts afterwards (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.route("**/api/items", () => {});
    const releaseCode = await holdCode(page);
    await page.goto("/", { waitUntil: "commit" });
    await expect(page.getByTestId("skeleton")).toHaveCount(8);
    await expect(page.getByRole("button", { name: "Proceed to Checkout" })).toBeDisabled();
    await page.evaluate(() => document.fonts.ready);
    const before = await places(page);
    await expect(page).toHaveTitle("Keepsats");

    releaseCode();
    await expect(page).toHaveTitle("Shop · Keepsats");
    await expect(page.getByTestId("skeleton")).toHaveCount(8);
    expect(await places(page)).toEqual(before);
  });
}

test("the prerendered shop page has the first product's picture, unless the URL has a search", async ({
  page,
}) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto("/", { waitUntil: "commit" });
  const picture = page.getByTestId("skeleton").first().locator("img");
  await expect(picture).toHaveJSProperty("complete", true);
  await expect(picture).toHaveAttribute("src", /^\/pictures\//);
  await page.goto("/?q=pot", { waitUntil: "commit" });
  await expect(page.getByTestId("skeleton")).toHaveCount(8);
  await expect(picture).toHaveCount(0);
});

test("the prerendered checkout says that the cart is empty, unless the tab has a placed order", async ({
  page,
}) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto("/checkout", { waitUntil: "commit" });
  const empty = page.getByText("Your cart is empty.");
  await expect(empty).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem("keepsats-placed-orders", "[]"));
  await page.goto("/checkout?again", { waitUntil: "commit" });
  await expect(empty).toBeHidden();
});

test("the other screens show the top bar before their JavaScript has loaded", async ({ page }) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto("/checkout", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Cart" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByTestId("skeleton")).toHaveCount(0);
  await page.goto("/order?orderId=a&contractId=b", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Shop", exact: true })).toBeVisible();
  await expect(page.locator("[aria-current]")).toHaveCount(0);
});

test("the products are requested once, with a JSON content type, before the JavaScript has loaded", async ({
  page,
}) => {
  const types: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/items")) types.push(request.headers()["content-type"]);
  });
  const releaseCode = await holdCode(page);
  await page.goto("/", { waitUntil: "commit" });
  await expect.poll(() => types).toEqual(["application/json"]);
  releaseCode();
  await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  expect(types).toEqual(["application/json"]);
});

test("prerendered pages have no link to #main, which would replace the key in an order link", async ({
  page,
}) => {
  const releaseCode = await holdCode(page);
  await page.goto("/order?orderId=a&contractId=b#key", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Shop", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Skip to content" })).toHaveCount(0);
  releaseCode();
  await expect(page.getByRole("link", { name: "Skip to content" })).toHaveCount(1);
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`if its JavaScript does not load, the page says so after 15 seconds and offers a reload (motion: ${reducedMotion})`, async ({
    page,
    console,
  }) => {
    console.expect(/ERR_FAILED/);
    await page.emulateMedia({ reducedMotion });
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto("/order?orderId=a&contractId=b#key");
    const reload = page.getByRole("button", { name: "Reload the page" });
    await expect(page.getByText("This page is not loading.")).toBeHidden();
    await expect(reload).toHaveCount(0);
    const delays = await page.evaluate(() =>
      document.getAnimations().map((animation) => {
        const delay = animation.effect?.getTiming().delay;
        animation.finish();
        return delay;
      }),
    );
    expect(delays).toEqual([15_000]);
    await expect(page.getByText("This page is not loading.")).toBeVisible();

    await page.unroute("**/assets/*.js");
    await reload.click();
    await expect(page.getByText("Order not found.")).toBeVisible();
    await expect(page).toHaveURL("/order?orderId=a&contractId=b#key");
    await expect(page.getByText("This page is not loading.")).toHaveCount(0);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the page says that it needs JavaScript, and hides the prerendered page", async ({
    page,
  }) => {
    await page.goto("/");
    // By tag, because Playwright ignores the content of noscript in texts and roles.
    const notice = page.locator("noscript p");
    await expect(notice).toContainText("This shop needs JavaScript");
    await expect(notice).toBeVisible();
    expect((await notice.boundingBox())?.x).toBeGreaterThanOrEqual(16);
    await expect(page.locator("noscript h1")).toHaveText("Keepsats");
    await expect(page.getByTestId("skeleton").first()).toBeHidden();
    await expect(page.getByRole("status")).toHaveCount(0);
  });
});
