import {
  awaitsPayment,
  currency,
  decimalFromCents,
  formatMoneyIn,
  isOrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import { happenedText } from "@keepsats/protocol";
import type { Item } from "../catalogue/item.ts";
import type { Order } from "../orders/index.ts";
import type { LoanMoney, StoredIssue } from "../payments/index.ts";
import { type Block, type Letter, typed } from "./letter.ts";
import { acceptance, items, shippingAddress } from "./order-blocks.ts";
import { type OrderMoney, sumsIn } from "./order-money.ts";

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
 * Tells the merchant that an order is paid and can be shipped; `undefined` if its payout was taken
 * back since.
 */
export function orderPaidLetter(
  order: Order,
  money: OrderMoney,
  desk: DeskUrl,
): Letter | undefined {
  const { balances } = money;
  if (balances.shop.missing > 0) return undefined;
  const id = shortOrderId(order.id);
  const kept = sumsIn(balances, (balance) => balance.kept);
  return {
    subject: `Order ${id} is paid${kept === undefined ? "" : `: ${kept}`}`,
    title: `Order ${id} is paid and can be shipped`,
    blocks: [
      items(order),
      ...acceptance(money),
      { kind: "facts", facts: [["Ships to", shippingAddress(order)]] },
      desk === undefined
        ? command(`orders ship ${id} --carrier DHL --tracking NUMBER`)
        : toDesk("Open the order at the desk", `${desk}/orders/${order.id}`),
    ],
  };
}

/** The money of a loan that a payment issue is about. */
export type IssueMoney = Pick<LoanMoney, "open" | "isUnknown" | "currency">;

/**
 * Tells the merchant of a payment that does not fit its order, or of a refund due.
 *
 * @param money `undefined` if the loan brought none
 */
export function issueLetter(
  issue: StoredIssue,
  money: IssueMoney | undefined,
  desk: DeskUrl,
): Letter {
  const { kind, orderId, loanId, detail } = issue;
  const about =
    orderId === undefined ? "A loan without an order" : `Order ${shortOrderId(orderId)}`;
  const { subject, title, advice } = issueHeadings(issue, money);
  return {
    subject: `${about}: ${subject}`,
    title,
    blocks: [
      { kind: "text", text: typed(detail) },
      {
        kind: "facts",
        facts: [
          ["What it is", happenedText({ kind })],
          orderId === undefined ? ["Loan", typed(loanId)] : ["Order", shortOrderId(orderId)],
        ],
      },
      ...(advice === undefined ? [] : [{ kind: "text", text: advice } as const]),
      ...(desk === undefined
        ? [
            { kind: "text", text: "This command shows it, and what you can do:" } as const,
            command(
              orderId === undefined
                ? "payment-issues list"
                : `payment-issues show ${shortOrderId(orderId)}`,
            ),
            ...refundCommands(issue, money),
          ]
        : [toDesk("Open the payments at the desk", `${desk}/payments?kind=${kind}`)]),
    ],
  };
}

/** The kinds of payment issue whose money can only be refunded. */
const onlyRefundable = ["overpaid", "duplicate", "paid-after-cancel"];
/** The kinds about what the provider says of a loan, whatever money it brought. */
const notices = ["disputed", "changed-after-payout", "unrecognized"];

function issueHeadings({ kind, orderStatus }: StoredIssue, money: IssueMoney | undefined) {
  if (money === undefined || notices.includes(kind) || (money.open === 0 && !money.isUnknown))
    return {
      subject: "a payment needs you",
      title: "A payment does not fit its order",
      advice: undefined,
    };
  if (money.isUnknown)
    return {
      subject: "money of an unknown amount came",
      title: "Money of an unknown amount came",
      advice: "Ask the loan provider how much it paid out before you refund or accept it.",
    };
  const sum = formatMoneyIn(money.open, money.currency);
  if (onlyRefundable.includes(kind))
    return {
      subject: `${sum} to refund`,
      title: `${sum} must be refunded`,
      advice: undefined,
    };
  const isWaiting =
    orderStatus !== undefined && isOrderStatus(orderStatus) && awaitsPayment(orderStatus);
  if (kind === "underpaid" && isWaiting)
    return {
      subject: `${sum} came, which is less than it costs`,
      title: `${sum} came for an order that costs more`,
      advice: "You can accept it as full payment, or refund it.",
    };
  return {
    subject: `${sum} came that pays no order`,
    title: `${sum} came that pays no order`,
    advice: undefined,
  };
}

/** The command that records the refund of an order's money; none if it has none. */
function refundCommands({ orderId, kind }: StoredIssue, money: IssueMoney | undefined): Block[] {
  if (orderId === undefined || money === undefined || money.open === 0) return [];
  if (notices.includes(kind) || money.currency !== currency.code) return [];
  const refund = `orders refund ${shortOrderId(orderId)} ${decimalFromCents(money.open)} --method "bank transfer"`;
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
