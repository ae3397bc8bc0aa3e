import { creditNoteNumber, receiptNumber } from "@keepsats/domain";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder } from "./fixtures/orders.ts";

test("a receipt and its credit note have the seller and the VAT of their day, for staff and customer", async ({
  page,
  admin,
  shop,
}) => {
  await admin.open(page, "/settings");
  const form = page.getByRole("group", { name: "Seller and tax" });
  await form.getByLabel("Seller").fill("Corner Shop Ltd");
  await form.getByLabel("Postal address").fill("1 Main Street\n10115 Berlin");
  await form.getByLabel("Tax number").fill("DE123456789");
  await form.getByLabel("VAT rate in percent").fill("101");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByText("It must be a percentage above 0")).toBeVisible();
  await form.getByLabel("VAT rate in percent").fill("19");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Everything is saved.")).toBeVisible();

  const order = await placePaidOrder(shop);
  await shop.cli("orders", "refund", order.id, "10.00", "--grant", "goodwill", "--method", "bank");
  await admin.call(`orders/${order.id}/refunds`, {
    amount: 35,
    method: "bank",
    grant: "return",
    lines: [{ item_id: "moka-pot", quantity: 1 }],
  });
  await shop.setSettings({ seller_name: "Renamed", seller_address: null, vat_rate: null });
  await page.goto(`${admin.url}/orders/${order.id}`);
  const link = page.getByRole("link", { name: "Receipts" });
  await page.goto(`${admin.url}${await link.getAttribute("href")}`);
  await expectReceipts(page, order.number);

  await page.goto(shop.url + order.link);
  await expect(page.getByRole("heading", { name: "Receipts", exact: true })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expectReceipts(page, order.number);
});

async function expectReceipts(page: Page, orderNumber: string): Promise<void> {
  const receipt = page.getByRole("article", { name: `Receipt ${receiptNumber(orderNumber)}` });
  await expect(receipt).toContainText("Corner Shop Ltd");
  await expect(receipt).toContainText("Tax number DE123456789");
  await expect(receipt.getByText("Includes 19 % VAT of $45.00").locator("..")).toContainText(
    "$7.18",
  );
  const creditNote = (position: number) =>
    page.getByRole("article", { name: `Credit note ${creditNoteNumber(orderNumber, position)}` });
  const credit = creditNote(1);
  await expect(credit).toContainText("Corner Shop Ltd");
  await expect(credit.getByText("Includes 19 % VAT of $10.00").locator("..")).toContainText(
    "$1.60",
  );
  const rest = creditNote(2);
  await expect(rest.getByText("Not credited").locator("..")).toContainText("−$10.00");
  await expect(rest.getByText("Credited", { exact: true }).locator("..")).toContainText("$35.00");
}
