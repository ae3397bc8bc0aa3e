import {
  awaitsPayment,
  awaitsShipping,
  balanceIn,
  formatMoney,
  isWebAddress,
  linesText,
  piecesText,
  type ReturnState,
  receiptNumber,
  shopCurrency,
} from "@keepsats/domain";
import type { OrderReturn } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Delivery } from "../../platform/outbox/channel.ts";
import type { Order } from "../orders/index.ts";
import { type Block, button, type Email, keyValues, text } from "./email.ts";
import {
  acceptanceBlocks,
  itemsBlock,
  type OrderMoney,
  shippingAddress,
  sumsIn,
} from "./order-blocks.ts";

export interface CustomerEmailParts {
  readonly order: Order;
  /** The order link, with the order key. */
  readonly link: string;
  readonly data: Delivery["data"];
  readonly money: OrderMoney;
  readonly returns: readonly OrderReturn[];
  /** The number of the credit note for the refund that the email is about. */
  readonly creditNote?: string | undefined;
}

const notMineNote =
  "If you did not place this order, someone may have mistyped their address. Reply to this email and we will cancel it.";

export function placedEmail({ order, link }: CustomerEmailParts): Email {
  return {
    subject: `Your order ${order.number}`,
    title: "We received your order",
    blocks: [
      text(
        "We will prepare it for shipping as soon as your loan is paid out. The order page shows its status.",
      ),
      itemsBlock(order),
      keyValues(["Ships to", shippingAddress(order)]),
      // As `orders/changing/correct-order.ts` decides it.
      ...(awaitsShipping(order.status)
        ? [text("You can correct this address on the order page until we ship your order.")]
        : []),
      toOrder(link),
    ],
    note: notMineNote,
    isAboutUnpaid: true,
  };
}

export function paymentFailedEmail({ order, link, money }: CustomerEmailParts): Email | undefined {
  if (order.status !== "Pending") return undefined;
  const reason = money.hasReceived
    ? "The payment that we received did not complete your order."
    : "The lender has not paid out your loan.";
  return {
    subject: `Payment failed for your order ${order.number}`,
    title: "Your payment failed",
    blocks: [
      text(`${reason} Your order is still open: you can try the payment again on the order page.`),
      itemsBlock(order),
      toOrder(link),
    ],
    note: notMineNote,
    isAboutUnpaid: true,
  };
}

export function paidEmail({ order, link, money }: CustomerEmailParts): Email | undefined {
  // The payout may have been reversed since.
  if (order.status === "Cancelled" || money.balances.shop.missing > 0) return undefined;
  return {
    subject: `Your order ${order.number} is paid`,
    title: "Your order is paid",
    blocks: [
      text(
        `Your payment has been processed. We will ship your order shortly. Your receipt ${receiptNumber(order.number)} is on the order page.`,
      ),
      itemsBlock(order),
      ...acceptanceBlocks(money),
      keyValues(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
  };
}

/** A security notice: anyone with the order link can change the shipping address. */
export function addressCorrectedEmail({ order, link }: CustomerEmailParts): Email | undefined {
  if (order.status === "Cancelled") return undefined;
  return {
    subject: `Your order ${order.number} has a new shipping address`,
    title: "The shipping address was changed",
    blocks: [
      text("Your paid order will be shipped to this address:"),
      keyValues(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
    note: "If you did not change it, reply to this email before we ship your order.",
  };
}

export function shippedEmail({ order, link }: CustomerEmailParts): Email {
  const { carrier, tracking_number, tracking_url } = order;
  const tracking = tracking_url !== null && isWebAddress(tracking_url) ? tracking_url : undefined;
  return {
    subject: `Your order ${order.number} is on its way`,
    title: "Your order is on its way",
    blocks: [
      keyValues(
        ...(carrier === null ? [] : [["Carrier", carrier] as const]),
        ...(tracking_number === null ? [] : [["Tracking number", tracking_number] as const]),
        ["Ships to", shippingAddress(order)],
      ),
      ...(tracking === undefined ? [] : [button("Track the parcel", tracking)]),
      itemsBlock(order),
      toOrder(link, tracking === undefined),
    ],
  };
}

export function deliveredEmail({ order, link }: CustomerEmailParts): Email {
  return {
    subject: `Your order ${order.number} has been delivered`,
    title: "Your order has been delivered",
    blocks: [text("We hope you enjoy your order."), itemsBlock(order), toOrder(link)],
  };
}

export function cancelledEmail({ order, link, data, money }: CustomerEmailParts): Email {
  const { from } = data;
  return {
    subject: `Your order ${order.number} is cancelled`,
    title: "Your order is cancelled",
    blocks: [
      ...(order.merchant_message === null ? [] : [text(order.merchant_message)]),
      text(`Nothing will be shipped${sentencesAboutMoney(money, data)}`),
      itemsBlock(order),
      toOrder(link),
    ],
    isAboutUnpaid: typeof from === "string" && awaitsPayment(from),
  };
}

/** Continues a sentence with the refunds, and with a loan that may still be paid out. */
function sentencesAboutMoney(money: OrderMoney, data: Delivery["data"]): string {
  const { balances, hasOpenLoans } = money;
  const due = sumsIn(balances, ({ refundDue }) => refundDue);
  const refunded = sumsIn(balances, (balance) => balance.refunded);
  const isUnknown = balances.unknownAmounts > 0;
  const mayBePaidOut = hasOpenLoans || data.unclear_loans === true;
  const sentences = [
    due === undefined ? undefined : `We will refund ${due} and email you when that is done.`,
    isUnknown ? "We have received a payment for it. We will check and refund it." : undefined,
    due === undefined && refunded !== undefined ? `We have refunded ${refunded}.` : undefined,
    mayBePaidOut
      ? "A loan for it may still be paid out to us. We will then refund the money. If you no longer need the loan, cancel it with the lender."
      : undefined,
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0
    ? ", and there is nothing for you to pay."
    : `. ${sentences.join(" ")}`;
}

/** The lines of a granted refund, in the data of its event. */
const refundedLines = z.catch(z.array(z.object({ name: z.string(), quantity: z.int() })), []);

export function refundedEmail({
  order,
  link,
  data,
  money,
  creditNote,
}: CustomerEmailParts): Email | undefined {
  const { cents, currency = shopCurrency.code, refund_id: refundId } = data;
  if (typeof cents !== "number" || typeof currency !== "string") return undefined;
  if (typeof refundId === "string" && money.reversedRefunds.has(refundId)) return undefined;
  const { refundDue } = balanceIn(money.balances, currency);
  const rest = refundDue > 0 ? ` ${formatMoney(refundDue, currency)} is still to come.` : "";
  const sum = formatMoney(cents, currency);
  const lines = refundedLines.parse(data.lines);
  const reason = lines.length === 0 ? "" : `For ${lines.map(piecesText).join(", ")}. `;
  const receipt =
    creditNote === undefined ? "" : ` Your credit note ${creditNote} is on the order page.`;
  return {
    subject: `We have refunded ${sum} for your order ${order.number}`,
    title: `We have refunded ${sum}`,
    blocks: [text(`${reason}It may take a few days to arrive.${rest}${receipt}`), toOrder(link)],
  };
}

const alreadyRefunded = "We have already refunded the price of your order.";
const questions = "If you have questions, reply to this email.";

interface ReturnTexts {
  readonly subject: string;
  readonly text: string;
  /** Replaces the text if nothing is left of the price. */
  readonly textIfRefunded?: string;
}

/** By the state that a return has moved to. */
const returnTexts = {
  requested: {
    subject: "We received your return request",
    text: "We will answer by email. Please keep the items until then.",
  },
  accepted: {
    subject: "Your return is accepted",
    text: "We will refund you once the items have arrived.",
    textIfRefunded: alreadyRefunded,
  },
  received: {
    subject: "Your return has arrived",
    text: "We will check the items and write to you again.",
    textIfRefunded: alreadyRefunded,
  },
  completed: { subject: "Your return is completed", text: questions },
  declined: { subject: "Your return is declined", text: questions },
} satisfies Partial<Record<ReturnState, ReturnTexts>>;

/** Its email is `undefined` if the return has another state by now, which sends its own email. */
export function customerReturnEmail(state: keyof typeof returnTexts) {
  const texts: ReturnTexts = returnTexts[state];
  return ({ order, link, data, money, returns }: CustomerEmailParts): Email | undefined => {
    const found = returns.find(({ id }) => id === data.return_id);
    if (found?.state !== state) return undefined;
    const { grantable, refundable } = money.balances.shop;
    const isRefunded = grantable === 0 && refundable === 0;
    return {
      subject: `${texts.subject}: order ${order.number}`,
      title: texts.subject,
      blocks: [
        ...(found.message === null ? [] : [text(found.message)]),
        text((isRefunded ? texts.textIfRefunded : undefined) ?? texts.text),
        keyValues(["Items", linesText(order.items, found.lines, "\n")]),
        toOrder(link),
      ],
    };
  };
}

function toOrder(url: string, isMain = true): Block {
  return { kind: "link", label: "View your order", url, isMain };
}
