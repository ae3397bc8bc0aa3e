import {
  awaitsPayment,
  awaitsShipping,
  balanceIn,
  formatMoneyIn,
  isOrderStatus,
  isWebAddress,
  type ReturnState,
  receiptNumber,
  shopCurrency,
} from "@keepsats/domain";
import type { OrderReturn } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Delivery } from "../../platform/outbox/channel.ts";
import type { DomainEventType } from "../../platform/outbox/emit-events.ts";
import type { Order } from "../orders/index.ts";
import type { Block, Email } from "./email.ts";
import {
  acceptance,
  items,
  type OrderMoney,
  piecesText,
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

/** @returns `undefined` if the event is outdated */
type Template = (parts: CustomerEmailParts) => Email | undefined;

/** The emails to customers, by event; `null` for an event without one. */
const templates = {
  "order.placed": placed,
  "order.payment_started": null,
  "order.payment_failed": paymentFailed,
  "order.paid": paid,
  "order.shipped": shipped,
  "order.delivered": delivered,
  "order.corrected": addressCorrected,
  "order.cancelled": cancelled,
  "order.refunded": refunded,
  "order.refund_reversed": null,
  "order.erased": null,
  "return.requested": returnRequested,
  "return.accepted": returnAccepted,
  "return.received": returnReceived,
  "return.completed": returnCompleted,
  "return.declined": returnDeclined,
  "return.withdrawn": null,
  "payment_issue.opened": null,
  "payment_issue.resolved": null,
  "payment_issue.reopened": null,
  "stock.low": null,
  "webhook.test": null,
} as const satisfies Record<DomainEventType, Template | null>;

const templatesByType = new Map<string, Template | null>(Object.entries(templates));

/** The events that send an email to the customer. */
type CustomerType = {
  [Type in DomainEventType]: (typeof templates)[Type] extends null ? never : Type;
}[DomainEventType];

/** A correction sends an email only if it changes the shipping address of a paid order. */
export function isForCustomer(type: string, data: Delivery["data"] = {}): type is CustomerType {
  if (type === "order.corrected") return data.address_of_paid === true;
  return typeof templatesByType.get(type) === "function";
}

/** @returns `undefined` if the event sends no email, or is outdated */
export function customerEmail(type: string, parts: CustomerEmailParts): Email | undefined {
  return isForCustomer(type, parts.data) ? templates[type](parts) : undefined;
}

/**
 * Whether an email about this event is about an unpaid order. Anyone can have such an email sent to
 * any address.
 */
export function isAboutUnpaid(type: CustomerType, { from }: Delivery["data"]): boolean {
  switch (type) {
    case "order.placed":
    case "order.payment_failed":
      return true;
    case "order.cancelled":
      return typeof from === "string" && isOrderStatus(from) && awaitsPayment(from);
    case "order.paid":
    case "order.shipped":
    case "order.delivered":
    case "order.corrected":
    case "order.refunded":
    case "return.requested":
    case "return.accepted":
    case "return.received":
    case "return.completed":
    case "return.declined":
      return false;
  }
}

const stranger =
  "If you did not place this order, someone may have mistyped their address. Reply to this email and we will cancel it.";

function placed({ order, link }: CustomerEmailParts): Email {
  return {
    subject: `Your order ${order.number}`,
    title: "We received your order",
    blocks: [
      text(
        "We prepare it for shipping as soon as your loan is paid out. The order page shows its status.",
      ),
      items(order),
      keyValues(["Ships to", shippingAddress(order)]),
      ...correction(order),
      toOrder(link),
    ],
    note: stranger,
  };
}

/** Says until when the address can be corrected, as `orders/correct-order.ts` decides it. */
function correction({ status }: Order): Block[] {
  if (!isOrderStatus(status) || !awaitsShipping(status)) return [];
  return [text("You can correct this address on the order page until we ship your order.")];
}

function paymentFailed({ order, link, money }: CustomerEmailParts): Email | undefined {
  if (order.status !== "Pending") return undefined;
  const reason = money.hasReceived
    ? "The payment that we received did not complete your order."
    : "The lender has not paid out your loan.";
  return {
    subject: `Payment failed for your order ${order.number}`,
    title: "Your payment failed",
    blocks: [
      text(`${reason} Your order is still open: you can try the payment again on the order page.`),
      items(order),
      toOrder(link),
    ],
    note: stranger,
  };
}

function paid({ order, link, money }: CustomerEmailParts): Email | undefined {
  // The payout may have been reversed since.
  if (order.status === "Cancelled" || money.balances.shop.missing > 0) return undefined;
  return {
    subject: `Your order ${order.number} is paid`,
    title: "Your order is paid",
    blocks: [
      text(
        `Your payment has been processed. We will ship your order shortly. Your receipt ${receiptNumber(order.number)} is on the order page.`,
      ),
      items(order),
      ...acceptance(money),
      keyValues(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
  };
}

/** A security notice: anyone with the order link can change the shipping address. */
function addressCorrected({ order, link }: CustomerEmailParts): Email | undefined {
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

function shipped({ order, link }: CustomerEmailParts): Email {
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
      ...(tracking === undefined
        ? []
        : [{ kind: "link", label: "Track the parcel", url: tracking, isMain: true } as const]),
      items(order),
      toOrder(link, tracking === undefined),
    ],
  };
}

function delivered({ order, link }: CustomerEmailParts): Email {
  return {
    subject: `Your order ${order.number} has been delivered`,
    title: "Your order has been delivered",
    blocks: [text("We hope you enjoy it for a long time."), items(order), toOrder(link)],
  };
}

function cancelled({ order, link, data, money }: CustomerEmailParts): Email {
  return {
    subject: `Your order ${order.number} is cancelled`,
    title: "Your order is cancelled",
    blocks: [
      ...(order.merchant_message === null ? [] : [text(order.merchant_message)]),
      text(`Nothing will be shipped${sentencesAboutMoney(money, data)}`),
      items(order),
      toOrder(link),
    ],
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

function refunded({ order, link, data, money, creditNote }: CustomerEmailParts): Email | undefined {
  const { cents, currency = shopCurrency.code, refund_id: refundId } = data;
  if (typeof cents !== "number" || typeof currency !== "string") return undefined;
  if (typeof refundId === "string" && money.reversedRefunds.has(refundId)) return undefined;
  const { refundDue } = balanceIn(money.balances, currency);
  const rest = refundDue > 0 ? ` ${formatMoneyIn(refundDue, currency)} is still to come.` : "";
  const sum = formatMoneyIn(cents, currency);
  const lines = refundedLines.parse(data.lines);
  const names = lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");
  const items = names === "" ? "" : `For ${names}. `;
  const receipt =
    creditNote === undefined ? "" : ` Your credit note ${creditNote} is on the order page.`;
  return {
    subject: `We have refunded ${sum} for your order ${order.number}`,
    title: `We have refunded ${sum}`,
    blocks: [text(`${items}It may take a few days to arrive.${rest}${receipt}`), toOrder(link)],
  };
}

function returnRequested(parts: CustomerEmailParts): Email | undefined {
  return returnEmail(parts, "requested", {
    subject: "We received your return request",
    text: "We will answer by email. Please keep the items until then.",
  });
}

function returnAccepted(parts: CustomerEmailParts): Email | undefined {
  return returnEmail(parts, "accepted", {
    subject: "Your return is accepted",
    text: alreadyRefunded(parts) ?? "We will refund you once the items have arrived.",
  });
}

function returnReceived(parts: CustomerEmailParts): Email | undefined {
  return returnEmail(parts, "received", {
    subject: "Your return has arrived",
    text: alreadyRefunded(parts) ?? "We will check the items and write to you again.",
  });
}

/** @returns `undefined` unless nothing is left of the price */
function alreadyRefunded({ money }: CustomerEmailParts): string | undefined {
  const { grantable, refundable } = money.balances.shop;
  return grantable === 0 && refundable === 0
    ? "We have already refunded the price of your order."
    : undefined;
}

function returnCompleted(parts: CustomerEmailParts): Email | undefined {
  return returnEmail(parts, "completed", {
    subject: "Your return is completed",
    text: "If you have questions, reply to this email.",
  });
}

function returnDeclined(parts: CustomerEmailParts): Email | undefined {
  return returnEmail(parts, "declined", {
    subject: "Your return is declined",
    text: "If you have questions, reply to this email.",
  });
}

/** @returns `undefined` if the return has another state by now, which sends its own email */
function returnEmail(
  { order, link, data, returns }: CustomerEmailParts,
  state: ReturnState,
  texts: { readonly subject: string; readonly text: string },
): Email | undefined {
  const found = returns.find(({ id }) => id === data.return_id);
  if (found?.state !== state) return undefined;
  return {
    subject: `${texts.subject}: order ${order.number}`,
    title: texts.subject,
    blocks: [
      ...(found.message === null ? [] : [text(found.message)]),
      text(texts.text),
      keyValues(["Items", piecesText(order, found.lines)]),
      toOrder(link),
    ],
  };
}

function text(sentences: string): Block {
  return { kind: "text", text: sentences };
}

function keyValues(...pairs: readonly (readonly [string, string])[]): Block {
  return { kind: "key-values", pairs };
}

function toOrder(url: string, isMain = true): Block {
  return { kind: "link", label: "View your order", url, isMain };
}
