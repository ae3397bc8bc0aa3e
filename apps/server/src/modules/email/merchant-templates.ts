import {
  awaitsPayment,
  decimalFromCents,
  formatMoneyIn,
  isOrderStatus,
  orderName,
  shopCurrency,
} from "@keepsats/domain";
import { happenedText, moneyOfIssue, type OrderReturn } from "@keepsats/protocol";
import type { Item } from "../catalogue/index.ts";
import type { Order } from "../orders/index.ts";
import type { LoanMoney, StoredIssue } from "../payments/index.ts";
import { type Block, type Email, withoutLinks } from "./email.ts";
import {
  acceptance,
  items,
  type OrderMoney,
  piecesText,
  shippingAddress,
  sumsIn,
} from "./order-blocks.ts";

const command = (words: string) => ({ kind: "command", text: `npm run cli -- ${words}` }) as const;

/** The origin of the admin; without one, emails name commands of the CLI. */
type AdminUrl = string | undefined;

const toAdmin = (label: string, url: string) =>
  ({ kind: "link", label, url, isMain: true }) as const;

/** @returns `undefined` if the payout was reversed since */
export function orderPaidEmail(
  order: Order,
  money: OrderMoney,
  admin: AdminUrl,
): Email | undefined {
  const { balances } = money;
  if (balances.shop.missing > 0) return undefined;
  const { number } = order;
  const kept = sumsIn(balances, (balance) => balance.kept);
  return {
    subject: `Order ${number} is paid${kept === undefined ? "" : `: ${kept}`}`,
    title: `Order ${number} is paid and can be shipped`,
    blocks: [
      items(order),
      ...acceptance(money),
      { kind: "key-values", pairs: [["Ships to", shippingAddress(order)]] },
      admin === undefined
        ? command(`orders ship ${number} --carrier DHL --tracking NUMBER`)
        : toAdmin("Open the order in the admin", `${admin}/orders/${order.id}`),
    ],
  };
}

/** About a return that a customer has requested or withdrawn. */
export function returnEmail(
  state: "requested" | "withdrawn",
  order: Order,
  { lines, reason }: OrderReturn,
  admin: AdminUrl,
): Email {
  return {
    subject: `Order ${order.number}: return ${state}`,
    title: `A return of order ${order.number} is ${state}`,
    blocks: [
      {
        kind: "key-values",
        pairs: [
          ["Items", piecesText(order, lines)],
          ...(reason === null ? [] : [["Reason", withoutLinks(reason)] as const]),
        ],
      },
      ...(admin === undefined
        ? [command(`orders show ${order.number}`)]
        : [toAdmin("Open the order in the admin", `${admin}/orders/${order.id}`)]),
    ],
  };
}

/** The money of a loan that a payment issue is about. */
export type IssueMoney = Pick<LoanMoney, "open" | "isUnknown" | "currency">;

/** @param money `undefined` if no money of the loan was received */
export function issueEmail(
  issue: StoredIssue,
  money: IssueMoney | undefined,
  admin: AdminUrl,
): Email {
  const { kind, loanId, detail } = issue;
  const order = nameOfOrder(issue);
  const about = order === undefined ? "A loan without an order" : `Order ${order}`;
  const { subject, title, advice } = issueHeadings(issue, money);
  return {
    subject: `${about}: ${subject}`,
    title,
    blocks: [
      { kind: "text", text: withoutLinks(detail) },
      {
        kind: "key-values",
        pairs: [
          ["Issue", happenedText({ kind })],
          order === undefined ? ["Loan", withoutLinks(loanId)] : ["Order", order],
        ],
      },
      ...(advice === undefined ? [] : [{ kind: "text", text: advice } as const]),
      ...(admin === undefined
        ? [
            { kind: "text", text: "Show the issue, and the ways to resolve it:" } as const,
            command(order === undefined ? "payment-issues list" : `payment-issues show ${order}`),
            ...refundCommands(issue, money),
          ]
        : [toAdmin("Open the payments in the admin", `${admin}/payments?kind=${kind}`)]),
    ],
  };
}

/** The order's number, or the short form of its id if the shop does not have it. */
function nameOfOrder({ orderId, orderNumber }: StoredIssue): string | undefined {
  return orderId === undefined ? undefined : orderName({ id: orderId, number: orderNumber });
}

function issueHeadings({ kind, orderStatus }: StoredIssue, money: IssueMoney | undefined) {
  const about = moneyOfIssue(kind);
  if (money === undefined || about === "none" || (money.open === 0 && !money.isUnknown))
    return {
      subject: "a payment needs attention",
      title: "A payment does not match its order",
      advice: undefined,
    };
  if (money.isUnknown)
    return {
      subject: "payment of unknown amount received",
      title: "A payment of unknown amount was received",
      advice: "Ask the loan provider how much it paid out before you refund or accept it.",
    };
  const sum = formatMoneyIn(money.open, money.currency);
  if (about === "excess")
    return {
      subject: `${sum} to refund`,
      title: `${sum} must be refunded`,
      advice: undefined,
    };
  const isWaiting =
    orderStatus !== undefined && isOrderStatus(orderStatus) && awaitsPayment(orderStatus);
  if (kind === "underpaid" && isWaiting)
    return {
      subject: `${sum} received, less than the total`,
      title: `${sum} received for an order that costs more`,
      advice: "You can accept it as full payment, or refund it.",
    };
  return {
    subject: `${sum} received that pays no order`,
    title: `${sum} received that pays no order`,
    advice: undefined,
  };
}

/** The command that records a refund in the shop's currency. */
function refundCommands(issue: StoredIssue, money: IssueMoney | undefined): Block[] {
  const order = nameOfOrder(issue);
  if (order === undefined || money === undefined || money.open === 0) return [];
  if (moneyOfIssue(issue.kind) === "none" || money.currency !== shopCurrency.code) return [];
  const refund = `orders refund ${order} ${decimalFromCents(money.open)} --method "bank transfer"`;
  return [{ kind: "text", text: "Once you have refunded the money, record it:" }, command(refund)];
}

export function stockLowEmail(
  { id, name }: Pick<Item, "id" | "name">,
  left: number,
  admin: AdminUrl,
): Email {
  const title = left === 0 ? `${name} is sold out` : `${name}: only ${left} left`;
  return {
    subject: title,
    title,
    blocks: [
      { kind: "text", text: "When you restock, update the stock:" },
      admin === undefined
        ? command(`items set ${id} --stock 25`)
        : toAdmin("Open the items in the admin", `${admin}/items`),
    ],
  };
}
