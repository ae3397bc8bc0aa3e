import { inflateSync } from "node:zlib";
import { receiptNumber } from "@keepsats/domain";
import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder, placeUnpaidOrder } from "./fixtures/orders.ts";

// A4. Playwright 1.65 treats inches as centimetres.
const a4 = { width: "21in", height: "29.7in" };

function countPages(pdf: Buffer): number {
  const streams = [...pdf.toString("latin1").matchAll(/stream\r?\n([\s\S]*?)endstream/g)];
  const content = streams.map(([, bytes = ""]) => {
    const stream = Buffer.from(bytes, "latin1");
    // zlib streams start with this byte; the other streams are fonts and pictures.
    return stream[0] === 0x78 ? inflateSync(stream).toString("latin1") : "";
  });
  return content.join("").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

test("orders, receipts and packing slips are each printed on one page", async ({
  page,
  admin,
  shop,
}) => {
  const [unpaid, paid] = [await placeUnpaidOrder(shop), await placePaidOrder(shop)];
  for (const [link, title] of [
    [unpaid.link, "Keepsats · Order"],
    [paid.link, `Receipt ${receiptNumber(paid.number)}`],
  ] as const) {
    await page.goto(shop.url + link);
    await expect(page.getByText(title).first()).toBeAttached();
    await expect(page.getByText("1 × Moka Pot").first()).toBeVisible();
    expect(countPages(await page.pdf(a4)), title).toBe(1);
  }
  for (const print of ["slips", "receipts"]) {
    await admin.open(page, "/orders");
    await page.goto(`${admin.url}/print/${print}?ids=${paid.id}`);
    await expect(page.getByText("Moka Pot")).toBeVisible();
    expect(countPages(await page.pdf(a4)), print).toBe(1);
  }
});
