import { awaitsPayment, formatMoney, itemTitle, linesText, orderName } from "@keepsats/domain";
import { happenedText, moneyOfIssue, type OrderReturn } from "@keepsats/protocol";
import type { Item } from "../catalogue/index.ts";
import type { Order } from "../orders/index.ts";
import type { LoanMoney, StoredIssue } from "../payments/index.ts";
import { type Block, button, type Email, keyValues, text, withoutLinks } from "./email.ts";
import {
  acceptanceBlocks,
  itemsBlock,
  type OrderMoney,
  shippingAddress,
  sumsIn,
} from "./order-blocks.ts";

const command = (words: string) => text(`npm run cli -- ${words}`);

/** The origin of the admin; without one, emails name commands of the CLI. */
type AdminUrl = string | undefined;

/** A link to the order or, without an admin, a command. */
function toOrder({ id }: Order, admin: AdminUrl, words: string): Block {
  return admin === undefined
    ? command(words)
    : button("Open the order in the admin", `${admin}/orders/${id}`);
}

/** @returns `undefined` if the payout was reversed since */
export function merchantPaidEmail(
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
      itemsBlock(order),
      ...acceptanceBlocks(money),
      keyValues(["Ships to", shippingAddress(order)]),
      toOrder(order, admin, `orders ship ${number} --carrier DHL --tracking NUMBER`),
    ],
  };
}

/** About a return that a customer has requested or withdrawn. */
export function merchantReturnEmail(
  state: "requested" | "withdrawn",
  order: Order,
  { lines, reason }: OrderReturn,
  admin: AdminUrl,
): Email {
  return {
    subject: `Order ${order.number}: return ${state}`,
    title: `A return of order ${order.number} is ${state}`,
    blocks: [
      keyValues(
        ["Items", linesText(order.items, lines, "\n")],
        ...(reason === null ? [] : [["Reason", withoutLinks(reason)] as const]),
      ),
      toOrder(order, admin, `orders show ${order.number}`),
    ],
  };
}

/** The money of a loan that a payment issue is about. */
type IssueMoney = Pick<LoanMoney, "open" | "isUnknown" | "currency">;

/** @param money `undefined` if no money of the loan was received */
export function issueEmail(
  issue: StoredIssue,
  money: IssueMoney | undefined,
  admin: AdminUrl,
): Email {
  const { kind, loanId, detail, orderId, orderNumber } = issue;
  const order = orderId && orderName({ id: orderId, number: orderNumber });
  const about = order === undefined ? "A loan without an order" : `Order ${order}`;
  const { subject, title, advice } = issueHeadings(issue, money);
  return {
    subject: `${about}: ${subject}`,
    title,
    blocks: [
      text(withoutLinks(detail)),
      keyValues(
        ["Issue", happenedText({ kind })],
        order === undefined ? ["Loan", withoutLinks(loanId)] : ["Order", order],
      ),
      ...(advice === undefined ? [] : [text(advice)]),
      ...(admin === undefined
        ? [
            text("Show the issue, and the ways to resolve it:"),
            command(order === undefined ? "payment-issues list" : `payment-issues show ${order}`),
          ]
        : [button("Open the payments in the admin", `${admin}/payments?kind=${kind}`)]),
    ],
  };
}

function issueHeadings(
  { kind, orderStatus }: StoredIssue,
  money: IssueMoney | undefined,
): { subject: string; title: string; advice?: string } {
  const about = moneyOfIssue(kind);
  if (money === undefined || about === "none" || (money.open === 0 && !money.isUnknown))
    return {
      subject: "a payment needs attention",
      title: "A payment does not match its order",
    };
  if (money.isUnknown)
    return {
      subject: "payment of unknown amount received",
      title: "A payment of unknown amount was received",
      advice: "Ask the loan provider how much it paid out before you refund or accept it.",
    };
  const sum = formatMoney(money.open, money.currency);
  if (about === "excess") return { subject: `${sum} to refund`, title: `${sum} must be refunded` };
  const isWaiting = orderStatus !== undefined && awaitsPayment(orderStatus);
  if (kind === "underpaid" && isWaiting)
    return {
      subject: `${sum} received, less than the total`,
      title: `${sum} received for an order that costs more`,
      advice: "You can accept it as full payment, or refund it.",
    };
  const title = `${sum} received that pays no order`;
  return { subject: title, title };
}

export function stockLowEmail(
  { id, ...item }: Pick<Item, "id" | "name" | "variant_name">,
  left: number,
  admin: AdminUrl,
): Email {
  const name = itemTitle(item);
  const title = left === 0 ? `${name} is sold out` : `${name}: only ${left} left`;
  return {
    subject: title,
    title,
    blocks: [
      text("When you have new stock, update it:"),
      admin === undefined
        ? command(`items set ${id} --stock 25`)
        : button("Open the items in the admin", `${admin}/items`),
    ],
  };
}
