import { paths, withId } from "@keepsats/protocol";
import { aPayout } from "../harness/loans.ts";
import type { MoneyShop, PlacedOrder } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

/**
 * A paid order of $140.00: $100.00 with the VAT rate of the shop, and two pieces of $20.00 with 7 %.
 */
export async function mixedOrder(shop: MoneyShop): Promise<PlacedOrder> {
  for (const [id, price, vat_rate] of [
    ["lamp", 100, null],
    ["book", 20, 7],
  ] as const)
    okay(
      await shop.call("PUT", withId(paths.admin.item, id), {
        name: id,
        description: id,
        price,
        vat_rate,
        image_url: "/pictures/moka-pot.svg",
      }),
    );
  const items = [
    { item_id: "lamp", quantity: 1 },
    { item_id: "book", quantity: 2 },
  ];
  const order = await shop.order({ items, total: 140 });
  await shop.report(aPayout(order));
  return order;
}
