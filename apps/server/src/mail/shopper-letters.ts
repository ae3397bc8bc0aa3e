import { type Cents, formatMoney, isWebAddress, shortOrderId } from "@keepsats/domain";
import type { Order } from "../orders/index.ts";
import type { Delivery } from "../outbox/channel.ts";
import type { Block, Letter } from "./letter.ts";
import { acceptance, items, shippingAddress } from "./order-blocks.ts";

/** What a letter to a shopper is made of. */
export interface ShopperLetterParts {
  readonly order: Order;
  /** The order's own link. */
  readonly link: string;
  readonly data: Delivery["data"];
  /**
   * What the payment of the order is less than the total, because an underpaid loan was accepted;
   * in cents.
   */
  readonly waived?: Cents;
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
  "order.cancelled": cancelled,
  "order.refunded": refunded,
};

/** Whether the shopper is told of announcements of this type. */
export function isForShopper(type: string): boolean {
  return Object.hasOwn(letters, type);
}

/**
 * Writes the letter to the shopper about an announcement; `undefined` if there is nothing to tell
 * any more.
 */
export function shopperLetter(type: string, parts: ShopperLetterParts): Letter | undefined {
  return isForShopper(type) ? letters[type]?.(parts) : undefined;
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

function paymentFailed({ order, link }: ShopperLetterParts): Letter | undefined {
  if (order.status !== "Pending") return undefined;
  return {
    subject: `The payment of your order ${shortOrderId(order.id)} did not work`,
    title: "Your payment did not work",
    blocks: [
      text(
        "The lender has not paid out your loan. Your order is still here: you can try the payment again on its page.",
      ),
      items(order),
      toOrder(link),
    ],
    note: stranger,
  };
}

function paid({ order, link, waived = 0 }: ShopperLetterParts): Letter | undefined {
  if (order.status === "Cancelled") return undefined;
  return {
    subject: `Your order ${shortOrderId(order.id)} is paid`,
    title: "Your order is paid",
    blocks: [
      text("Your payment has been processed. We will ship your order shortly."),
      items(order),
      ...acceptance(order, waived),
      facts(["Ships to", shippingAddress(order)]),
      toOrder(link),
    ],
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

function cancelled({ order, link, data }: ShopperLetterParts): Letter {
  return {
    subject: `Your order ${shortOrderId(order.id)} is cancelled`,
    title: "Your order is cancelled",
    blocks: [
      ...(order.merchant_message === null ? [] : [text(order.merchant_message)]),
      text(`Nothing will be shipped${sentenceAboutMoney(data)}`),
      items(order),
      toOrder(link),
    ],
  };
}

/** The rest of a sentence that says what becomes of the money of a cancelled order. */
function sentenceAboutMoney({ refund_due: due }: Delivery["data"]): string {
  if (typeof due !== "number" || due === 0) return ", and there is nothing for you to pay.";
  return `. We will refund ${formatMoney(due)}, and write to you when that is done.`;
}

function refunded({ order, link, data }: ShopperLetterParts): Letter | undefined {
  const { cents, refund_due: due } = data;
  if (typeof cents !== "number") return undefined;
  const rest = typeof due === "number" && due > 0 ? ` ${formatMoney(due)} is still to come.` : "";
  return {
    subject: `We have refunded ${formatMoney(cents)} for your order ${shortOrderId(order.id)}`,
    title: `We have refunded ${formatMoney(cents)}`,
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
