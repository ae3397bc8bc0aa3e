import { openPlacedOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";
import { screens } from "./fixtures/screens.ts";
import { clickAndWaitForClose, expect, openPopup, test } from "./fixtures/test.ts";

const widths = [320, 1280];

for (const { name, open, error } of screens) {
  test(`${name}: axe finds no violation in light and dark, and it fits 320 px`, async ({
    page,
    shop,
    console,
  }) => {
    if (error !== undefined) console.expect(error);
    await open(page, shop);
    await expectFitAndAccessible(page, { widths });
  });
}

test("the pop-up, with its failures and funded, and the checkout, paid: axe finds no violation in light and dark, and they fit 320 px", async ({
  page,
  shop,
}) => {
  await openPlacedOrder(page, shop);
  const popup = await openPopup(page);
  await popup.getByText("Simulate a failure").click();
  await expectFitAndAccessible(popup, { widths });
  await popup.getByRole("button", { name: "Fund the collateral" }).click();
  await expect(popup.getByRole("button", { name: "Back to shop" })).toBeVisible();
  await expectFitAndAccessible(popup, { widths });
  await clickAndWaitForClose(popup, "Back to shop");
  await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
  await expectFitAndAccessible(page, { widths });
});
