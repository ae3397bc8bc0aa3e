import {
  balanceIn,
  formatMoneyIn,
  isWebAddress,
  currency as shopCurrency,
  shortOrderId,
} from "@keepsats/domain";
import type { Order } from "../orders/index.ts";
import type { Delivery } from "../outbox/channel.ts";
import type { Block, Letter } from "./letter.ts";
import { acceptance, items, shippingAddress } from "./order-blocks.ts";
import { type OrderMoney, sumsIn } from "./order-money.ts";

/** What a letter to a shopper is made of. */
export interface ShopperLetterParts {
  readonly order: Order;
  /** The order's own link. */
  readonly link: string;
  readonly data: Delivery["data"];
  /** The money of the order, as it is now. */
  readonly money: OrderMoney;
}

/**
 * The announcements of which the shopper is told, each with its letter; `undefined` if it is
 * outdated.
 */
const letters: Readonly<Record<string, (parts: ShopperLetterParts) => Letter | undefined>> = {
  "order.placed": placed,
  "order.payment_failed": paymentFailed,
  "order.paid": paid,
  "order.shipped": shipped,
  "order.delivered": delivered,
  "order.corrected": addressCorrected,
  "order.cancelled": cancelled,
  "order.refunded": refunded,
};

/** Whether the customer gets an email. A correction sends one only for the address of a paid order. */
export function isForShopper(type: string, data: Delivery["data"] = {}): boolean {
  return Object.hasOwn(letters, type) && (type !== "order.corrected" || isAboutPaidAddress(data));
}

function isAboutPaidAddress(data: Delivery["data"]): boolean {
  return data.address_of_paid === true;
}

/**
 * Writes the letter to the shopper about an announcement; `undefined` if there is nothing to tell
 * any more.
 */
export function shopperLetter(type: string, parts: ShopperLetterParts): Letter | undefined {
  return isForShopper(type, parts.data) ? letters[type]?.(parts) : undefined;
}

const stranger =
  "If you have not ordered this, somebody has mistyped an address. Answer this letter, and we cancel the order.";

function placed({ order, link }: ShopperLetterParts): Letter {
  return {
    subject: `Your order ${shortOrderId(order.id)}`,
    title: "We have your order",
    blocks: [
      text(
        "As soon as your loan is paid out, we prepare it for shipping. Its page always shows how far it is.",
      ),
      items(order),
      toOrder(link),
    ],
    note: stranger,
  };
}

function paymentFailed({ order, link, money }: ShopperLetterParts): Letter | undefined {
  if (order.status !== "Pending") return undefined;
  const happened = money.hasCome
    ? "The money that came for your order did not pay it."
    : "The lender has not paid out your loan.";
  return {
    subject: `The payment of your order ${shortOrderId(order.id)} did not work`,
    title: "Your payment did not work",
    blocks: [
      text(`${happened} Your order is still here: you can try the payment again on its page.`),
      items(order),
      toOrder(link),
    ],
    note: stranger,
  };
}

function paid({ order, link, money }: ShopperLetterParts): Letter | undefined {
  // The payout may have been taken back since.
  if (order.status === "Cancelled" || money.balances.shop.missing > 0) return undefined;
  return {
    subject: `Your order ${shortOrderId(order.id)} is paid`,
    title: "Your order is paid",
    blocks: [
      text("Your payment has been processed. We will ship your order shortly."),
      items(order),
      ...acceptance(money),
      facts(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
  };
}

/** Anybody with the link of a paid order could change where it is shipped. */
function addressCorrected({ order, link }: ShopperLetterParts): Letter | undefined {
  if (order.status === "Cancelled") return undefined;
  return {
    subject: `Your order ${shortOrderId(order.id)} has another shipping address`,
    title: "The shipping address was changed",
    blocks: [
      text("Your paid order will be shipped to this address:"),
      facts(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
    note: "If you have not changed it, answer this letter before we ship your order.",
  };
}

function shipped({ order, link }: ShopperLetterParts): Letter {
  const { carrier, tracking_number, tracking_url } = order;
  const tracking = tracking_url !== null && isWebAddress(tracking_url) ? tracking_url : undefined;
  return {
    subject: `Your order ${shortOrderId(order.id)} is on its way`,
    title: "Your order is on its way",
    blocks: [
      facts(
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

function delivered({ order, link }: ShopperLetterParts): Letter {
  return {
    subject: `Your order ${shortOrderId(order.id)} has been delivered`,
    title: "Your order has been delivered",
    blocks: [text("May you keep it for a long time."), items(order), toOrder(link)],
  };
}

function cancelled({ order, link, data, money }: ShopperLetterParts): Letter {
  return {
    subject: `Your order ${shortOrderId(order.id)} is cancelled`,
    title: "Your order is cancelled",
    blocks: [
      ...(order.merchant_message === null ? [] : [text(order.merchant_message)]),
      text(`Nothing will be shipped${sentencesAboutMoney(money, data)}`),
      items(order),
      toOrder(link),
    ],
  };
}

/** The rest of a sentence that says what becomes of the money and the loan of a cancelled order. */
function sentencesAboutMoney(money: OrderMoney, data: Delivery["data"]): string {
  const { balances, isUnderWay } = money;
  const due = sumsIn(balances, ({ refundDue }) => refundDue);
  const refunded = sumsIn(balances, (balance) => balance.refunded);
  const isUnknown = balances.unknownAmounts > 0;
  const mayCome = isUnderWay || data.unclear_loans === true;
  const sentences = [
    due === undefined ? undefined : `We will refund ${due}, and write to you when that is done.`,
    isUnknown ? "We have received a payment for it, which we check and then refund." : undefined,
    due === undefined && refunded !== undefined ? `We have refunded ${refunded}.` : undefined,
    mayCome
      ? "A loan for it may still be paid out to us: then we refund the money. If you no longer need the loan, cancel it at the lender."
      : undefined,
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0
    ? ", and there is nothing for you to pay."
    : `. ${sentences.join(" ")}`;
}

function refunded({ order, link, data, money }: ShopperLetterParts): Letter | undefined {
  const { cents, currency = shopCurrency.code, refund_id: refundId } = data;
  if (typeof cents !== "number" || typeof currency !== "string") return undefined;
  if (typeof refundId === "string" && money.reversedRefunds.has(refundId)) return undefined;
  const { refundDue } = balanceIn(money.balances, currency);
  const rest = refundDue > 0 ? ` ${formatMoneyIn(refundDue, currency)} is still to come.` : "";
  const sum = formatMoneyIn(cents, currency);
  return {
    subject: `We have refunded ${sum} for your order ${shortOrderId(order.id)}`,
    title: `We have refunded ${sum}`,
    blocks: [text(`It may take a few days to arrive.${rest}`), toOrder(link)],
  };
}

function text(words: string): Block {
  return { kind: "text", text: words };
}

function facts(...pairs: readonly (readonly [string, string])[]): Block {
  return { kind: "facts", facts: pairs };
}

function toOrder(url: string, isMain = true): Block {
  return { kind: "link", label: "View your order", url, isMain };
}
