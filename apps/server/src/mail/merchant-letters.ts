import {
  awaitsPayment,
  type Cents,
  decimalFromCents,
  formatMoney,
  isOrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import { happenedText } from "@keepsats/protocol";
import type { Item } from "../catalogue/item.ts";
import type { Order } from "../orders/index.ts";
import type { StoredIssue } from "../payments/index.ts";
import { type Block, type Letter, typed } from "./letter.ts";
import { acceptance, items, shippingAddress } from "./order-blocks.ts";

/** The announcements of which the merchant is told. */
export const merchantTypes = ["order.paid", "payment_issue.opened", "stock.low"] as const;
export type MerchantType = (typeof merchantTypes)[number];

/** Whether the merchant is told of announcements of this type. */
export function isForMerchant(type: string): type is MerchantType {
  return merchantTypes.some((known) => known === type);
}

const command = (words: string) =>
  ({ kind: "command", text: `npm run merchant -- ${words}` }) as const;

/** The origin of the desk; `undefined` if the shop has none, so that letters name commands. */
type DeskUrl = string | undefined;

const toDesk = (label: string, url: string) =>
  ({ kind: "link", label, url, isMain: true }) as const;

/**
 * Tells the merchant that an order is paid and can be shipped.
 *
 * @param waived what its payment is less than the total, because an underpaid loan was accepted; in
 *   cents
 */
export function orderPaidLetter(order: Order, waived: Cents, desk: DeskUrl): Letter {
  const id = shortOrderId(order.id);
  return {
    subject: `Order ${id} is paid: ${formatMoney(order.total_price - waived)}`,
    title: `Order ${id} is paid and can be shipped`,
    blocks: [
      items(order),
      ...acceptance(order, waived),
      { kind: "facts", facts: [["Ships to", shippingAddress(order)]] },
      desk === undefined
        ? command(`orders ship ${id} --carrier DHL --tracking NUMBER`)
        : toDesk("Open the order at the desk", `${desk}/orders/${order.id}`),
    ],
  };
}

/**
 * Tells the merchant of a payment that does not fit its order, or of a refund due.
 */
export function issueLetter(issue: StoredIssue, desk: DeskUrl): Letter {
  const { kind, order_id, loan_id, detail, cents } = issue;
  const about = order_id === "" ? "A loan without an order" : `Order ${shortOrderId(order_id)}`;
  const { subject, title, advice } = issueHeadings(issue);
  return {
    subject: `${about}: ${subject}`,
    title,
    blocks: [
      { kind: "text", text: typed(detail) },
      {
        kind: "facts",
        facts: [
          ["What it is", happenedText({ kind })],
          order_id === "" ? ["Loan", typed(loan_id)] : ["Order", shortOrderId(order_id)],
        ],
      },
      ...(advice === undefined ? [] : [{ kind: "text", text: advice } as const]),
      ...(desk === undefined
        ? [
            { kind: "text", text: "This command shows it, and what you can do:" } as const,
            command(
              order_id === ""
                ? "payment-issues list"
                : `payment-issues show ${shortOrderId(order_id)}`,
            ),
            ...refundCommands(order_id, cents),
          ]
        : [toDesk("Open the payments at the desk", `${desk}/payments?kind=${kind}`)]),
    ],
  };
}

/** The kinds of payment issue whose money can only be refunded. */
const onlyRefundable = ["overpaid", "duplicate", "paid-after-cancel"];

function issueHeadings({ kind, cents, order_status }: StoredIssue) {
  if (cents === null || cents === 0)
    return {
      subject: "a payment needs you",
      title: "A payment does not fit its order",
      advice: undefined,
    };
  const money = formatMoney(cents);
  if (onlyRefundable.includes(kind))
    return {
      subject: `${money} to refund`,
      title: `${money} must be refunded`,
      advice: undefined,
    };
  const isWaiting =
    order_status !== null && isOrderStatus(order_status) && awaitsPayment(order_status);
  if (kind === "underpaid" && isWaiting)
    return {
      subject: `${money} came, which is less than it costs`,
      title: `${money} came for an order that costs more`,
      advice: "You can accept it as full payment, or refund it.",
    };
  return {
    subject: `${money} came that pays no order`,
    title: `${money} came that pays no order`,
    advice: undefined,
  };
}

/** The command that records the refund of an order's money; none if it has none. */
function refundCommands(orderId: string, cents: Cents | null): Block[] {
  if (orderId === "" || cents === null || cents === 0) return [];
  const refund = `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
  return [{ kind: "text", text: "Once you have refunded the money, record it:" }, command(refund)];
}

/** Tells the merchant that few pieces of an item are left, or none. */
export function stockLowLetter(
  { id, name }: Pick<Item, "id" | "name">,
  left: number,
  desk: DeskUrl,
): Letter {
  const words = left === 0 ? `${name} is sold out` : `${name}: only ${left} left`;
  return {
    subject: words,
    title: words,
    blocks: [
      { kind: "text", text: "When you have more pieces, tell the shop how many there are:" },
      desk === undefined
        ? command(`items set ${id} --stock 25`)
        : toDesk("Open the items at the desk", `${desk}/items`),
    ],
  };
}
