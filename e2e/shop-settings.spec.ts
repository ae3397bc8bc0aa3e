import { expect, test } from "./fixtures/test.ts";

const defaults = {
  accent: "#f7931a",
  name: "Keepsats",
  contact: null,
  terms: null,
  delivery: null,
  intro: null,
};

test.afterEach(({ shop }) => shop.setSettings(defaults));

test("the footer of every screen has the contact, the links and the texts, which open in a dialog", async ({
  page,
  shop,
}) => {
  await shop.setSettings({
    contact: "a+b%c?d@example.org",
    delivery: "https://shop.example/delivery",
    terms: "One <b>bold</b> line\n\nTwo",
  });
  for (const path of ["/", "/checkout", "/order"]) {
    await page.goto(path);
    const footer = page.getByRole("contentinfo");
    await expect(footer.getByRole("link", { name: "Contact" })).toHaveAttribute(
      "href",
      "mailto:a%2Bb%25c%3Fd@example.org",
    );
    await expect(footer.getByRole("link", { name: /^Delivery/ })).toHaveAttribute(
      "href",
      "https://shop.example/delivery",
    );
    await expect(footer.getByText("Privacy")).toBeHidden();
  }
  await page.getByRole("button", { name: "Terms" }).click();
  const dialog = page.getByRole("dialog", { name: "Terms" });
  await expect(dialog.getByText("One <b>bold</b> line\n\nTwo")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Terms" })).toBeFocused();
});

test("an intro is above the products, and terms are linked beside Place Order", async ({
  page,
  shop,
}) => {
  await shop.setSettings({ intro: "Handmade.\n\nSince 1998.", terms: "You pay, we ship." });
  await page.goto("/");
  const intro = page.getByText("Handmade.\n\nSince 1998.");
  // The prerendered page may still be replaced: an element that left the page has no box.
  await expect(async () => {
    const above = await intro.boundingBox();
    const below = await page.getByRole("heading", { name: "Moka Pot" }).boundingBox();
    expect(above?.y).toBeLessThan(below?.y ?? 0);
  }).toPass({ timeout: 5_000 });
  await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  const main = page.getByRole("main");
  await expect(main.getByText("By ordering you accept the Terms.")).toBeVisible();
  await main.getByRole("button", { name: "Terms" }).click();
  await expect(page.getByRole("dialog", { name: "Terms" })).toContainText("You pay, we ship.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Place Order" })).toBeVisible();

  await shop.setSettings({ terms: "https://shop.example/terms" });
  await page.goto("/");
  await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  const link = main.getByRole("link", { name: /^Terms/ });
  await expect(link).toHaveAttribute("href", "https://shop.example/terms");
  await expect(link).toHaveAttribute("target", "_blank");
});

test("a new name and a new accent are in the page at the next load", async ({ page, shop }) => {
  await shop.setSettings({ name: "Bits & <b>Bobs</b>", accent: "#3aa6ff" });
  await page.goto("/");
  await expect(page.getByRole("banner")).toContainText("Bits & <b>Bobs</b>");
  await expect(page).toHaveTitle("Shop · Bits & <b>Bobs</b>");
  await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
  const forward = page.getByRole("button", { name: "Proceed to Checkout" });
  await expect(forward).toHaveCSS("background-color", "rgb(58, 166, 255)");
});
