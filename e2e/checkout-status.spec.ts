import { expectFitAndAccessible, expectNoViolations } from "./fixtures/page-checks.ts";
import { openNewestOrder, paymentNote, storedOrders } from "./fixtures/saved-orders.ts";
import {
  clickAndWaitForClose,
  expect,
  fund,
  openPopup,
  placeOrder,
  selectFailure,
  test,
} from "./fixtures/test.ts";

test.describe("the checkout shows the live status of its order:", () => {
  test("that it is paid while the pop-up is still open, and then that the shop has cancelled it", async ({
    page,
    shop,
  }) => {
    await placeOrder(page, "Enamel Mug");
    const popup = await openPopup(page);
    await popup.getByRole("button", { name: "Fund the collateral" }).click();
    await expect(paymentNote(page)).toHaveText(/is paid\. Complete your purchase to follow it\.$/);
    await expect(page.getByRole("button", { name: "Finance with Bitcoin" })).toBeDisabled();
    await clickAndWaitForClose(popup, "Back to shop");
    const id = (await storedOrders(page))[0]?.replace("keepsats-order-", "") ?? "";
    const cancelled = page.getByRole("region", { name: "Your order has been cancelled." });
    await test.step("no order can be placed before the customer has read that, with the notice about the refund", async () => {
      await shop.cli("orders", "cancel", id, "--yes", "--message", "The last mug broke.");
      await expect(cancelled).toContainText("If your loan was paid out, the shop will refund it");
      await expect(cancelled).toContainText("The last mug broke.");
      await expect(cancelled.getByRole("heading")).toBeFocused();
      await expect(page.getByRole("button", { name: "Place Order" })).toBeHidden();
      await expectNoViolations(page);
    });
    await test.step("a refund is shown at once, also on the order page", async () => {
      await shop.cli("orders", "refund", id, "18.50", "--method", "bank transfer");
      await expect(cancelled).toContainText("The shop has refunded $18.50.");
      const other = await page.context().newPage();
      await other.goto((await cancelled.getByRole("link").getAttribute("href")) ?? "");
      await expect(
        other.getByText("Nothing will be shipped. The shop has refunded $18.50."),
      ).toBeVisible();
      await other.close();
    });
    await test.step("then a new order can be placed with the same cart", async () => {
      await cancelled.getByRole("button", { name: "Start a new order" }).click();
      await expect(page.getByRole("button", { name: "Place Order" })).toBeEnabled();
      await expect(page.getByTestId("cart-badge")).toHaveText("1 item");
    });
  });

  test("that the loan was declined, accessibly and on a phone, and the order is paid with another one", async ({
    page,
  }) => {
    await placeOrder(page, "Enamel Mug");
    const popup = await openPopup(page);
    await selectFailure(popup, "The lender rejects it");
    await popup.getByRole("button", { name: "Fund the collateral" }).click();
    await expect(popup.getByRole("heading", { name: "Loan rejected" })).toBeVisible();
    await clickAndWaitForClose(popup, "Back to shop");
    await expect(paymentNote(page)).toContainText("this payment did not go through");
    await expect(paymentNote(page)).toContainText("You can try again.");
    await expectFitAndAccessible(page);
    await expect(page.getByRole("button", { name: "Complete Purchase" })).toBeEnabled();
    await fund(await openPopup(page, "Try payment again"));
    await expect(paymentNote(page)).toContainText("is paid.");
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });

  test("a payment in another tab, which completes the purchase", async ({ page, context }) => {
    await placeOrder(page, "Enamel Mug");
    const other = await context.newPage();
    await other.goto("/");
    await openNewestOrder(other);
    await fund(await openPopup(other));
    await expect(other.getByText("Your payment has been processed")).toBeVisible();
    await expect(paymentNote(page)).toContainText("is paid.");
    await page.getByRole("button", { name: "Complete Purchase" }).click();
    await expect(page.getByText("Your payment has been processed")).toBeVisible();
    await expect(page.getByTestId("cart-badge")).toBeHidden();
  });
});
