import {
  awaitsPayment,
  balancesOf,
  isOrderStatus,
  isPaidStatus,
  mailtoLink,
  recipientOf,
} from "@keepsats/domain";
import { findItem } from "../catalogue/item-repository.ts";
import type { Database, Queries } from "../db/database.ts";
import type { MailConfig } from "../mail-config.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import type { Attempt, Channel, Deliver, Delivery } from "../outbox/channel.ts";
import { accountOf, findIssue, moneyByLoan, readAccountOf } from "../payments/index.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Letter } from "./letter.ts";
import {
  isForMerchant,
  issueLetter,
  type MerchantType,
  orderPaidLetter,
  stockLowLetter,
} from "./merchant-letters.ts";
import { readOrderMoney } from "./order-money.ts";
import { noRecipient } from "./recipient.ts";
import { isForShopper, shopperLetter } from "./shopper-letters.ts";
import type { Message, SendMail } from "./smtp.ts";
import { createAdmitUnpaid } from "./unpaid-limit.ts";
import { messageIdAt, writeMessage } from "./write-message.ts";

interface Dependencies {
  readonly config: MailConfig;
  readonly sendMail: SendMail;
  readonly database: Database;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /** The origin of the desk; `undefined` if the shop has none. */
  readonly deskUrl: string | undefined;
  readonly keyOf: (orderId: string) => string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Together a little more than a day; the first is at most 10 seconds. */
const pauses = [
  ...[10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR],
  ...[4 * HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR],
];
/**
 * A letter that is older is not sent any more, for example after mail was off, or a backup was
 * restored.
 */
const TOO_OLD = 3 * 24 * HOUR;

const limits = { pauses, timeLimit: 24 * SECOND, atOnce: { all: 4, target: 4 }, perSecond: 20 };

/** Creates the two channels of mail: `mail-shopper` and `mail-merchant`. */
export function createMailChannels(dependencies: Dependencies): Channel[] {
  return [
    {
      ...limits,
      name: "mail-shopper",
      targetsOf: ({ type, data }) => (isForShopper(type, data) ? ["shopper"] : []),
      deliver: unlessTooOld(dependencies, createDeliverToShopper(dependencies)),
    },
    {
      ...limits,
      name: "mail-merchant",
      targetsOf: ({ type, data }) =>
        isForMerchant(type) && data?.without_mail !== true ? ["merchant"] : [],
      deliver: unlessTooOld(dependencies, createDeliverToMerchant(dependencies)),
    },
  ];
}

const skipped = (answer: string): Attempt => ({ kind: "skipped", answer });

function unlessTooOld({ database }: Dependencies, deliver: Deliver): Deliver {
  return async (delivery, signal) => {
    const isTooOld = delivery.repeats === 0 && database.now() - delivery.createdAt > TOO_OLD;
    return isTooOld ? skipped("not sent: it is older than three days") : deliver(delivery, signal);
  };
}

/**
 * Delivers to shoppers. Whatever the letter needs is read now, so no personal data is in the
 * outbox.
 */
function createDeliverToShopper(dependencies: Dependencies): Deliver {
  const { database, keyOf, publicUrl, sendMail } = dependencies;
  const admitUnpaid = createAdmitUnpaid(database);
  return async (delivery, signal) => {
    const { id, type, subject: orderId, data } = delivery;
    const order = await findOrder(database.db, orderId);
    const money = await readOrderMoney(database.db, orderId);
    if (order === undefined || money === undefined)
      return skipped("not sent: there is no such order any more");
    if (order.erased_at !== null)
      return skipped("not sent: the personal data of the order was erased");
    const link = `${publicUrl}/order?orderId=${orderId}#key=${keyOf(orderId)}`;
    const letter = shopperLetter(type, { order, link, data, money });
    if (letter === undefined) return skipped("not sent: it is outdated");
    const to = recipientOf(order.customer_email);
    if (to === undefined) return noRecipient;
    const isUnpaid = isAboutUnpaid(delivery);
    const isLimited =
      isUnpaid &&
      !isPaidStatus(order.status) &&
      !(await isCancelledByMerchant(database.db, delivery));
    if (isLimited && !(await admitUnpaid({ deliveryId: id, to, clientHash: order.client_hash })))
      return skipped(
        "not sent: too many emails about unpaid orders to this address, or for orders from this network, within an hour",
      );
    const messageId = messageIdOf(delivery, dependencies.config);
    const message = writeMessage(letter, { ...dependencies, messageId, isPersonal: true });
    const headers = isUnpaid
      ? { ...message.headers, ...unsubscribe(message, letter) }
      : message.headers;
    return sendMail({ ...message, to, headers }, signal);
  };
}

/** Whether a letter is about an order that nobody has paid: then anybody could have had it sent. */
function isAboutUnpaid({ type, data: { from } }: Delivery): boolean {
  switch (type) {
    case "order.placed":
    case "order.payment_failed":
      return true;
    case "order.cancelled":
      return typeof from === "string" && isOrderStatus(from) && awaitsPayment(from);
    default:
      return false;
  }
}

/**
 * Whether a letter tells that the merchant has cancelled an order: nobody else can have that letter
 * sent.
 */
async function isCancelledByMerchant(
  db: Queries,
  { type, subject: orderId }: Delivery,
): Promise<boolean> {
  if (type !== "order.cancelled") return false;
  const events = await listEvents(db, orderId);
  return events.some(
    ({ kind, to_status, by }) => kind === "moved" && to_status === "Cancelled" && by === "merchant",
  );
}

/**
 * Whoever gets letters about an order of somebody else can tell the shop with one click of the mail
 * program.
 */
function unsubscribe({ replyTo }: Pick<Message, "replyTo">, { subject }: Letter) {
  return {
    "List-Unsubscribe": `<${mailtoLink(replyTo)}?subject=${encodeURIComponent(`Not mine: ${subject}`)}>`,
  };
}

function createDeliverToMerchant(dependencies: Dependencies): Deliver {
  return async (delivery, signal) => {
    if (!isForMerchant(delivery.type)) return skipped("not sent: this version does not know it");
    const letter = await merchantLetter(delivery.type, delivery, dependencies);
    if (letter === undefined) return skipped("not sent: it is outdated");
    const messageId = messageIdOf(delivery, dependencies.config);
    const message = writeMessage(letter, { ...dependencies, messageId, isPersonal: false });
    return dependencies.sendMail({ ...message, to: message.replyTo }, signal);
  };
}

async function merchantLetter(
  type: MerchantType,
  { subject, data }: Delivery,
  { database: { db }, deskUrl }: Dependencies,
): Promise<Letter | undefined> {
  switch (type) {
    case "order.paid": {
      const order = await findOrder(db, subject);
      const money = await readOrderMoney(db, subject);
      if (order === undefined || money === undefined) return undefined;
      const isOver = order.erased_at !== null || order.status === "Cancelled";
      return isOver ? undefined : orderPaidLetter(order, money, deskUrl);
    }
    case "payment_issue.opened": {
      const issue = await findIssue(db, String(data.issue_id));
      if (issue === undefined || issue.resolution !== undefined) return undefined;
      const account = await readAccountOf(db, accountOf(issue));
      const money = moneyByLoan(account, balancesOf(account)).get(issue.loanId);
      return issueLetter(issue, money, deskUrl);
    }
    case "stock.low": {
      const item = await findItem(db, subject);
      return item === undefined || typeof data.stock !== "number"
        ? undefined
        : stockLowLetter(item, data.stock, deskUrl);
    }
  }
}

/**
 * The Message-ID of a letter: the same in every attempt, so that mail programs show a letter once
 * that was sent twice. One that the merchant has repeated has another, so that it is shown.
 */
function messageIdOf({ id, repeats }: Delivery, config: MailConfig): string {
  return messageIdAt(config, repeats === 0 ? id : `${id}.${repeats}`);
}
