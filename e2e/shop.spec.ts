import type { Page } from "@playwright/test";
import { addToCart, expect, fillCart, keepToasts, test } from "./fixtures/test.ts";

test.describe("the top bar", () => {
  test("stays at the top, shows the title, and highlights the current screen", async ({ page }) => {
    await page.goto("/somewhere/else?x=1");
    await expect(page, "any other path redirects to the shop").toHaveURL("/");
    await expect(page.getByRole("heading", { name: "Our Products" })).toBeVisible();
    await expect(page.getByRole("banner")).toContainText("Keepsats");
    await expect(page.getByRole("link", { name: "Shop", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 1_500); // Repeated, because the page may not be long enough to scroll yet.
        return page.evaluate(() => window.scrollY);
      })
      .toBeGreaterThan(500);
    await expect(page.getByRole("banner")).toBeInViewport();
    await page.getByRole("link", { name: /^Cart/ }).click();
    await expect(page).toHaveURL("/checkout");
    await expect(page.getByRole("link", { name: "Shop", exact: true })).not.toHaveAttribute(
      "aria-current",
      "page",
    );
  });

  test("shows the total quantity in a red badge when it is above 0", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Add to Cart Moka Pot" })).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
    await addToCart(page, "Moka Pot", "Moka Pot", "Enamel Mug");
    await expect(page.getByTestId("cart-badge")).toHaveText("3 items");
    await expect(page.getByTestId("cart-badge")).toHaveCSS("background-color", "rgb(194, 42, 32)");
    await page.getByRole("button", { name: "Remove Moka Pot" }).click();
    await page.getByRole("button", { name: "Remove Enamel Mug" }).click();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });
});

test.describe("the top bar of a narrow window", () => {
  /**
   * The space above and below the content of the top bar, in pixels, its height, and whether it is
   * wider than the window.
   */
  const measure = (page: Page) =>
    page.getByRole("banner").evaluate((bar) => {
      const { top, bottom, height } = bar.getBoundingClientRect();
      const parts = [...bar.querySelectorAll("p, nav")].map((part) => part.getBoundingClientRect());
      return {
        above: Math.min(...parts.map((part) => part.top)) - top,
        below: bottom - Math.max(...parts.map((part) => part.bottom)),
        height,
        isCut: bar.scrollWidth > bar.clientWidth,
      };
    });

  test("fits a long badge, large text and a long shop name", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await fillCart(page, "Moka Pot", "Enamel Mug");
    await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("9999");
    await page.getByLabel("Quantity of Enamel Mug", { exact: true }).fill("10");
    await expect(page.getByTestId("cart-badge")).toHaveText("10009 items");
    for (const [width, fontSize] of [
      [320, "100%"],
      [360, "200%"],
      [320, "200%"],
    ] as const) {
      await test.step(`${width} px, text of ${fontSize}`, async () => {
        await page.setViewportSize({ width, height: 740 });
        await page.evaluate((size) => {
          document.documentElement.style.fontSize = size;
        }, fontSize);
        await expect(async () => {
          const { above, below, height, isCut } = await measure(page);
          expect(isCut).toBe(false);
          expect(height).toBeGreaterThan(65);
          expect(above).toBeGreaterThanOrEqual(8);
          expect(below).toBeGreaterThanOrEqual(8);
        }).toPass({ timeout: 5_000 });
      });
    }

    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
    await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("1");
    await page.getByRole("button", { name: "Remove Enamel Mug" }).click();
    await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
    const name = page.getByRole("banner").getByText("Keepsats");
    await name.evaluate((node) => {
      node.textContent = "The Shop of Thirty Characters!";
    });
    await expect.poll(async () => (await measure(page)).height).toBeLessThanOrEqual(65);
    expect(
      await page
        .getByRole("banner")
        .locator("p span")
        .evaluate((node) => node.scrollWidth > node.clientWidth),
    ).toBe(true);
  });
});

test.describe("the products", () => {
  test("are cards beside the cart, in one column or two", async ({ page }) => {
    await page.goto("/");
    const cards = page.locator("main ul > li");
    await expect(cards).toHaveCount(12);
    const card = cards.filter({ hasText: "Enamel Mug" });
    await expect(card.getByRole("heading")).toHaveText("Enamel Mug");
    await expect(card.getByText("$18.50")).toBeVisible();
    await expect(card.getByText("Steel under three coats of enamel.")).toBeVisible();
    await expect
      .poll(() => card.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const [cardBox, buttonBox] = await Promise.all([
      card.boundingBox(),
      card.getByRole("button").boundingBox(),
    ]);
    expect(buttonBox?.width).toBe(cardBox?.width);

    const columns = () =>
      page
        .locator("main ul > li")
        .evaluateAll(
          (cards) => new Set(cards.map((card) => Math.round(card.getBoundingClientRect().x))).size,
        );
    expect(await columns()).toBe(2);
    const products = await page.getByRole("region", { name: "Our Products" }).boundingBox();
    const cart = await page.getByRole("region", { name: "Your Cart" }).boundingBox();
    expect((products?.width ?? 0) / (cart?.width ?? 1)).toBeCloseTo(2, 0);
    await page.setViewportSize({ width: 360, height: 800 });
    await expect.poll(columns).toBe(1);
  });

  test("are replaced by eight skeletons while they load", async ({ page }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/items", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/");
    await expect(page.getByTestId("skeleton")).toHaveCount(8);
    answer();
    await expect(page.getByTestId("skeleton")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  });

  test("show an error if they fail to load, and Retry fetches them again", async ({
    page,
    console,
  }) => {
    console.expect(/Failed to load/);
    await page.route("**/api/items", (route) => route.fulfill({ status: 500, body: "oops" }));
    await page.goto("/");
    await expect(page.getByText("Failed to load items. Please try again later.")).toBeVisible();
    expect(console.lines.some((line) => line.startsWith("error: Failed to load items"))).toBe(true);
    await page.unroute("**/api/items");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
  });

  test("are fetched again automatically while a proxy has no server", async ({ page, console }) => {
    console.expect(/50[23]/);
    const answers = [502, 503];
    await page.route("**/api/items", (route) => {
      const status = answers.shift();
      return status === undefined ? route.continue() : route.fulfill({ status, body: "" });
    });
    await page.goto("/");
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
    expect(answers).toEqual([]);
  });

  test("show a text if there are none", async ({ page }) => {
    await page.route("**/api/items", (route) => route.fulfill({ json: [] }));
    await page.goto("/");
    await expect(page.getByText("No items available")).toBeVisible();
  });

  test("are fetched once, and not again on focus or on return to the shop page", async ({
    page,
  }) => {
    let calls = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/items")) calls += 1;
    });
    await page.goto("/");
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
    await page.getByRole("link", { name: /^Cart/ }).click();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    // A fetch caused by the focus would be sent before this one.
    await page.evaluate(() => {
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      window.dispatchEvent(new Event("focus"));
      return fetch("/livez");
    });
    expect(calls).toBe(1);
  });

  test("with hostile names are shown as plain text", async ({ page }) => {
    const item = {
      id: "x",
      name: "<img src=x onerror=alert(1)>",
      description: "{{7*7}}<script>",
      price: 1,
      image_url: "/pictures/moka-pot.svg",
    };
    await page.route("**/api/items", (route) => route.fulfill({ json: [item] }));
    await page.goto("/");
    await expect(page.getByRole("heading", { name: item.name })).toBeVisible();
    await expect(page.getByText(item.description)).toBeVisible();
  });
});

test.describe("code that does not load", () => {
  test("shows an error and a button that loads it again, with the cart unchanged", async ({
    page,
    console,
  }) => {
    console.expect(/checkout|dynamically imported|ERR_FAILED/);
    await page.route("**/assets/checkout-*", (route) => route.abort());
    await page.goto("/");
    await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
    await page.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByText("This page could not be shown.")).toBeVisible();
    await page.unroute("**/assets/checkout-*");
    await page.getByRole("button", { name: "Load it again" }).click();
    await expect(page.getByText("1 × Moka Pot")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Checkout" })).toBeFocused();
  });

  test("is retried at once from another URL, because browsers do not fetch a failed module again", async ({
    page,
    console,
  }) => {
    console.expect(/SyntaxError|Unexpected|Failed to load/);
    const requested: string[] = [];
    await page.route(/assets\/(checkout|toaster)-/, (route) => {
      const { pathname, search } = new URL(route.request().url());
      requested.push(pathname.replace(/^.*\/(\w+)-.*$/, "$1") + search);
      return search === ""
        ? route.fulfill({ contentType: "text/javascript", body: "import{" })
        : route.continue();
    });
    await page.goto("/");
    await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
    await page.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByText("1 × Moka Pot")).toBeVisible();
    await expect(page.getByRole("region", { name: /^Notifications/ })).toBeAttached();
    expect(requested.toSorted()).toEqual([
      "checkout",
      "checkout?again=1",
      "toaster",
      "toaster?again=1",
    ]);
  });

  test("leaves the shop usable when it is the code of the toasts", async ({ page, console }) => {
    console.expect(/toaster|dynamically imported|404/);
    let requested = 0;
    await page.route("**/assets/toaster-*", (route) => {
      requested += 1;
      return route.fulfill({ status: 404 });
    });
    await page.goto("/");
    await expect.poll(() => requested).toBe(3);
    await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
    await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
  });
});

test.describe("the cart", () => {
  test("is empty at first, then changes and removes lines, with unit price, line total and total, and announces them to screen readers", async ({
    page,
  }) => {
    const cart = page.getByRole("region", { name: "Your Cart" });
    await page.goto("/");
    await expect(cart.getByText("Total: $0.00")).toBeVisible();
    await expect(page.getByRole("button", { name: "Proceed to Checkout" })).toBeDisabled();
    await addToCart(page, "Enamel Mug", "Oak Lounge Chair", "Enamel Mug");
    await expect(
      page.getByRole("status").filter({ hasText: "Enamel Mug added to cart, 2 in all" }),
    ).toBeAttached();
    const line = cart.getByRole("listitem").filter({ hasText: "Enamel Mug" });
    const quantity = page.getByLabel("Quantity of Enamel Mug", { exact: true });
    await expect(quantity).toHaveValue("2");
    await expect(line).toContainText("$18.50");
    await expect(line).toContainText("$37.00");
    await expect(cart).toContainText("Total: $937.00");
    await page.getByRole("button", { name: "Increase quantity of Enamel Mug" }).click();
    await expect(line).toContainText("$55.50");
    await page.getByRole("button", { name: "Decrease quantity of Enamel Mug" }).click();
    await page.getByRole("button", { name: "Decrease quantity of Enamel Mug" }).click();
    await expect(quantity).toHaveValue("1");
    await page.getByRole("button", { name: "Decrease quantity of Enamel Mug" }).click();
    await expect(line).toBeHidden();
    await expect(cart).toContainText("Total: $900.00");
    await expect(page.getByRole("heading", { name: "Your Cart" })).toBeFocused();
    await page.getByRole("button", { name: "Remove Oak Lounge Chair" }).click();
    await expect(cart).toContainText("Total: $0.00");
  });

  test("accepts a typed quantity, ignores other input, and removes the line at 0 or less", async ({
    page,
  }) => {
    await fillCart(page, "Moka Pot", "Enamel Mug");
    const quantity = page.getByLabel("Quantity of Moka Pot", { exact: true });
    const line = page
      .getByRole("region", { name: "Your Cart" })
      .getByRole("listitem")
      .filter({ hasText: "Moka Pot" });
    await expect(quantity).toHaveAttribute("min", "1");
    await expect(quantity).toHaveAttribute("type", "number");
    await quantity.fill("12");
    await expect(line).toContainText("$540.00");
    await quantity.fill("");
    await expect(line).toContainText("$540.00");
    await quantity.pressSequentially("e");
    await quantity.blur();
    await expect(quantity).toHaveValue("12");
    await quantity.fill("123456");
    await expect(quantity).toHaveValue("9999");
    await quantity.fill("-3");
    await expect(line).toBeHidden();
    await page.getByLabel("Quantity of Enamel Mug", { exact: true }).fill("0");
    await expect(page.getByText("Total: $0.00")).toBeVisible();
  });

  test("is kept in memory only: across screens, but not across a reload", async ({ page }) => {
    await fillCart(page, "Moka Pot");
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(page.getByText("1 × Moka Pot")).toBeVisible();
    await page.getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page.getByLabel("Quantity of Moka Pot", { exact: true })).toHaveValue("1");
    await page.reload();
    await expect(page.getByText("Total: $0.00")).toBeVisible();
    expect(
      await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]),
    ).toEqual([0, 0, ""]);
  });

  test("shows a toast when it is full, with 100 different items", async ({ page }) => {
    const item = { description: "", price: 1, image_url: "/pictures/moka-pot.svg" };
    const items = Array.from({ length: 101 }, (_, index) => ({
      ...item,
      id: `i${index}`,
      name: `Thing ${index}`,
    }));
    await page.route("**/api/items", (route) => route.fulfill({ json: items }));
    await page.goto("/");
    const add = page.getByRole("button", { name: /^Add to Cart/ });
    await expect(add).toHaveCount(101);
    await keepToasts(page);
    await add.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
    await expect(page.getByText("Your cart is full")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toHaveText("100 items");
    await expect(page.getByText("Total: $100.00")).toBeVisible();
  });

  test("shows an error if an item has the maximum quantity", async ({ page }) => {
    await fillCart(page, "Moka Pot");
    await page.getByLabel("Quantity of Moka Pot", { exact: true }).fill("9999");
    await keepToasts(page);
    await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
    await expect(page.getByText("An order can have up to 9999 of one item.")).toBeVisible();
    await expect(page.getByText("Moka Pot was not added")).toBeVisible();
    await expect(
      page.getByRole("status").filter({ hasText: "Moka Pot added to cart" }),
    ).toHaveCount(0);
    await expect(page.getByTestId("cart-badge")).toHaveText("9999 items");
    await page.getByRole("button", { name: "Increase quantity of Moka Pot" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "Moka Pot: quantity 9999, the highest possible" }),
    ).toBeAttached();
  });
});
