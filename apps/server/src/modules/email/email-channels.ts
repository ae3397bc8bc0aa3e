import { isPaidStatus, mailtoLink, recipientOf } from "@keepsats/domain";
import { isWebhookEventType } from "@keepsats/protocol";
import type { MailConfig } from "../../config/mail-config.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Attempt, Channel, Deliver, Delivery } from "../../platform/outbox/channel.ts";
import type { DomainEventType } from "../../platform/outbox/domain-event.ts";
import { HOUR, MINUTE, SECOND } from "../../platform/scheduling/clock.ts";
import { findItem } from "../catalogue/index.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import { accountOf, findIssue, moneyByLoan, readAccountOf } from "../payments/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { customerEmail, isAboutUnpaid, isForCustomer } from "./customer-templates.ts";
import type { Email } from "./email.ts";
import { issueEmail, orderPaidEmail, stockLowEmail } from "./merchant-templates.ts";
import { type Message, messageIdAt, writeMessage } from "./message.ts";
import { readOrderMoney } from "./order-blocks.ts";
import { noRecipient, type SendMail } from "./smtp.ts";
import { createAdmitUnpaid } from "./unpaid-limit.ts";

interface Dependencies {
  readonly config: MailConfig;
  readonly sendMail: SendMail;
  readonly database: Database;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /** The origin of the admin; `undefined` if the shop has none. */
  readonly adminUrl: string | undefined;
  readonly keyOf: (orderId: string) => string;
}

/** A little more than a day in all; the first is at most 10 seconds. */
const retryDelays = [
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  4 * HOUR,
  4 * HOUR,
  4 * HOUR,
  4 * HOUR,
  4 * HOUR,
];
/** Older emails are skipped, for example after email was off, or a backup was restored. */
const MAX_AGE = 3 * 24 * HOUR;

const limits = {
  retryDelays,
  timeout: 24 * SECOND,
  concurrency: { total: 4, perTarget: 4 },
  perSecond: 20,
};

export function createMailChannels(dependencies: Dependencies): Channel[] {
  return [
    {
      ...limits,
      name: "email-customer",
      targetsOf: ({ type, data }) => (isForCustomer(type, data) ? ["customer"] : []),
      deliver: unlessTooOld(dependencies, createDeliverToCustomer(dependencies)),
    },
    {
      ...limits,
      name: "email-merchant",
      targetsOf: ({ type, data }) =>
        merchantTemplates[type] !== null && data?.without_mail !== true ? ["merchant"] : [],
      deliver: unlessTooOld(dependencies, createDeliverToMerchant(dependencies)),
    },
  ];
}

const skipped = (answer: string): Attempt => ({ kind: "skipped", answer });

function unlessTooOld({ database }: Dependencies, deliver: Deliver): Deliver {
  return async (delivery, signal) => {
    const isTooOld = delivery.manualRetries === 0 && database.now() - delivery.createdAt > MAX_AGE;
    return isTooOld ? skipped("not sent: it is older than three days") : deliver(delivery, signal);
  };
}

/** Reads the order when it sends, so that the outbox has no personal data. */
function createDeliverToCustomer(dependencies: Dependencies): Deliver {
  const { database, keyOf, publicUrl, sendMail } = dependencies;
  const admitUnpaid = createAdmitUnpaid(database);
  return async (delivery, signal) => {
    const { id, type, subject: orderId, data } = delivery;
    const order = await findOrder(database.db, orderId);
    const money = await readOrderMoney(database.db, orderId);
    if (order === undefined || money === undefined)
      return skipped("not sent: the order no longer exists");
    if (order.erased_at !== null)
      return skipped("not sent: the personal data of the order was erased");
    const link = `${publicUrl}/order?orderId=${orderId}#key=${keyOf(orderId)}`;
    const email = customerEmail(type, { order, link, data, money });
    if (email === undefined || !isForCustomer(type, data))
      return skipped("not sent: it is outdated");
    const to = recipientOf(order.customer_email);
    if (to === undefined) return noRecipient;
    const isUnpaid = isAboutUnpaid(type, data);
    const isLimited =
      isUnpaid && !isPaidStatus(order.status) && !(await isCancelledByStaff(database.db, delivery));
    if (isLimited && !(await admitUnpaid({ deliveryId: id, to, clientHash: order.client_hash })))
      return skipped(
        "not sent: too many emails about unpaid orders to this address, or for orders from this network, within an hour",
      );
    const messageId = messageIdOf(delivery, dependencies.config);
    const message = writeMessage(email, { ...dependencies, messageId, isPersonal: true });
    const headers = isUnpaid
      ? { ...message.headers, ...unsubscribe(message, email) }
      : message.headers;
    return sendMail({ ...message, to, headers }, signal);
  };
}

/** Whether staff have cancelled the order: strangers cannot cause that email. */
async function isCancelledByStaff(
  db: Queries,
  { type, subject: orderId }: Delivery,
): Promise<boolean> {
  if (type !== "order.cancelled") return false;
  const events = await listEvents(db, orderId);
  return events.some(
    ({ kind, to_status, by }) => kind === "moved" && to_status === "Cancelled" && by === "staff",
  );
}

/** Lets a recipient who did not place the order report it with the mail program's button. */
function unsubscribe({ replyTo }: Pick<Message, "replyTo">, { subject }: Email) {
  return {
    "List-Unsubscribe": `<${mailtoLink(replyTo)}?subject=${encodeURIComponent(`Not mine: ${subject}`)}>`,
  };
}

function createDeliverToMerchant(dependencies: Dependencies): Deliver {
  return async (delivery, signal) => {
    const { type } = delivery;
    const template = isWebhookEventType(type) ? merchantTemplates[type] : null;
    if (template === null) return skipped("not sent: unknown to this version");
    const email = await template(delivery, dependencies);
    if (email === undefined) return skipped("not sent: it is outdated");
    const messageId = messageIdOf(delivery, dependencies.config);
    const message = writeMessage(email, { ...dependencies, messageId, isPersonal: false });
    return dependencies.sendMail({ ...message, to: message.replyTo }, signal);
  };
}

/** @returns `undefined` if the event is outdated */
type MerchantTemplate = (
  delivery: Delivery,
  dependencies: Dependencies,
) => Promise<Email | undefined>;

/** The emails to the merchant, by event; `null` for an event without one. */
const merchantTemplates: Readonly<Record<DomainEventType, MerchantTemplate | null>> = {
  "order.placed": null,
  "order.payment_started": null,
  "order.payment_failed": null,
  "order.paid": aboutPaidOrder,
  "order.shipped": null,
  "order.delivered": null,
  "order.cancelled": null,
  "order.corrected": null,
  "order.refunded": null,
  "order.refund_reversed": null,
  "order.erased": null,
  "payment_issue.opened": aboutIssue,
  "payment_issue.resolved": null,
  "payment_issue.reopened": null,
  "stock.low": aboutLowStock,
  "webhook.test": null,
};

async function aboutPaidOrder(
  { subject }: Delivery,
  { database: { db }, adminUrl }: Dependencies,
): Promise<Email | undefined> {
  const order = await findOrder(db, subject);
  const money = await readOrderMoney(db, subject);
  if (order === undefined || money === undefined) return undefined;
  const isOver = order.erased_at !== null || order.status === "Cancelled";
  return isOver ? undefined : orderPaidEmail(order, money, adminUrl);
}

async function aboutIssue(
  { data }: Delivery,
  { database: { db }, adminUrl }: Dependencies,
): Promise<Email | undefined> {
  const issue = await findIssue(db, String(data.issue_id));
  if (issue === undefined || issue.resolution !== undefined) return undefined;
  const account = await readAccountOf(db, accountOf(issue));
  return issueEmail(issue, moneyByLoan(account).get(issue.loanId), adminUrl);
}

async function aboutLowStock(
  { subject, data: { stock } }: Delivery,
  { database: { db }, adminUrl }: Dependencies,
): Promise<Email | undefined> {
  const item = await findItem(db, subject);
  if (item === undefined || typeof stock !== "number") return undefined;
  return stockLowEmail(item, stock, adminUrl);
}

/**
 * The same in every attempt, so that mail programs show an email once that was sent twice. A manual
 * retry has another one, so that it is shown.
 */
function messageIdOf({ id, manualRetries }: Delivery, config: MailConfig): string {
  return messageIdAt(config, manualRetries === 0 ? id : `${id}.${manualRetries}`);
}
