import { type Cents, decimalFromCents, formatMoney, shortOrderId } from "@keepsats/domain";
import type { Item } from "../catalogue/item.ts";
import type { Order } from "../orders/index.ts";
import type { StoredMismatch } from "../payments/index.ts";
import { type Block, type Letter, typed } from "./letter.ts";
import { mismatchWords } from "./mismatch-words.ts";
import { acceptance, items, shippingAddress } from "./order-blocks.ts";

/** The announcements of which the merchant is told. */
export const merchantTypes = ["order.paid", "mismatch.opened", "stock.low"] as const;
export type MerchantType = (typeof merchantTypes)[number];

/** Whether the merchant is told of announcements of this type. */
export function isForMerchant(type: string): type is MerchantType {
  return merchantTypes.some((known) => known === type);
}

const command = (words: string) => ({ kind: "command", text: `npm run merchant -- ${words}` }) as const;

/**
 * Tells the merchant that an order is paid and can be shipped.
 *
 * @param waived what its payment is less than the total, because an underpaid loan was accepted; in cents
 */
export function orderPaidLetter(order: Order, waived: Cents): Letter {
  const id = shortOrderId(order.id);
  return {
    subject: `Order ${id} is paid: ${formatMoney(order.total_price - waived)}`,
    title: `Order ${id} is paid and can be shipped`,
    blocks: [
      items(order),
      ...acceptance(order, waived),
      { kind: "facts", facts: [["Ships to", shippingAddress(order)]] },
      command(`orders ship ${id} --carrier DHL --tracking NUMBER`),
    ],
  };
}

/** Tells the merchant of a payment that does not fit its order, or of money that must be given back. */
export function mismatchLetter({ kind, order_id, contract_id, detail, cents }: StoredMismatch): Letter {
  const owed = cents === null || cents === 0 ? undefined : formatMoney(cents);
  const about = order_id === "" ? "A loan without an order" : `Order ${shortOrderId(order_id)}`;
  return {
    subject: `${about}: ${owed === undefined ? "a payment needs you" : `${owed} to give back`}`,
    title: owed === undefined ? "A payment does not fit its order" : `${owed} must be given back`,
    blocks: [
      { kind: "text", text: typed(detail) },
      {
        kind: "facts",
        facts: [
          ["What it is", mismatchWords(kind)],
          order_id === "" ? ["Loan", typed(contract_id)] : ["Order", shortOrderId(order_id)],
        ],
      },
      { kind: "text", text: "This command shows it, and what you can do:" },
      command(order_id === "" ? "mismatches list" : `mismatches show ${shortOrderId(order_id)}`),
      ...refundCommands(order_id, cents),
    ],
  };
}

/** The command that records the refund of an order's money; none if it has none. */
function refundCommands(orderId: string, cents: Cents | null): Block[] {
  if (orderId === "" || cents === null || cents === 0) return [];
  const refund = `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
  return [{ kind: "text", text: "When you have given the money back, record that:" }, command(refund)];
}

/** Tells the merchant that few pieces of an item are left, or none. */
export function stockLowLetter({ id, name }: Pick<Item, "id" | "name">, left: number): Letter {
  const words = left === 0 ? `${name} is sold out` : `${name}: only ${left} left`;
  return {
    subject: words,
    title: words,
    blocks: [
      { kind: "text", text: "When you have more pieces, tell the shop how many there are:" },
      command(`items stock ${id} 25`),
    ],
  };
}
