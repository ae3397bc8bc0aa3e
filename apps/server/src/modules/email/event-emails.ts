import { isWebhookEventType } from "@keepsats/protocol";
import type { Database } from "../../platform/database/database.ts";
import type { Delivery } from "../../platform/outbox/channel.ts";
import type { DomainEventType } from "../../platform/outbox/emit-events.ts";
import { findItem } from "../catalogue/index.ts";
import { findOrder, findReturnsOfOrder } from "../orders/index.ts";
import { accountKeyOf, findIssue, moneyByLoan, readAccount } from "../payments/index.ts";
import {
  addressCorrectedEmail,
  type CustomerEmail,
  type CustomerEmailParts,
  cancelledEmail,
  customerReturnEmail,
  deliveredEmail,
  paidEmail,
  paymentFailedEmail,
  placedEmail,
  refundedEmail,
  shippedEmail,
} from "./customer-templates.ts";
import type { Email } from "./email.ts";
import {
  issueEmail,
  merchantReturnEmail,
  orderPaidEmail,
  stockLowEmail,
} from "./merchant-templates.ts";
import { readOrderMoney } from "./order-blocks.ts";

interface MerchantSources {
  readonly database: Pick<Database, "db">;
  readonly adminUrl: string | undefined;
}

/** Each returns `undefined` if the event is outdated; `null` for an event without an email. */
interface EventEmails {
  readonly customer: ((parts: CustomerEmailParts) => CustomerEmail | undefined) | null;
  readonly merchant:
    | ((delivery: Delivery, sources: MerchantSources) => Promise<Email | undefined>)
    | null;
}

const none: EventEmails = { customer: null, merchant: null };

const emailsByEvent: Readonly<Record<DomainEventType, EventEmails>> = {
  "order.placed": { customer: placedEmail, merchant: null },
  "order.payment_started": none,
  "order.payment_failed": { customer: paymentFailedEmail, merchant: null },
  "order.paid": { customer: paidEmail, merchant: aboutPaidOrder },
  "order.shipped": { customer: shippedEmail, merchant: null },
  "order.delivered": { customer: deliveredEmail, merchant: null },
  "order.corrected": { customer: addressCorrectedEmail, merchant: null },
  "order.cancelled": { customer: cancelledEmail, merchant: null },
  "order.refunded": { customer: refundedEmail, merchant: null },
  "order.refund_reversed": none,
  "order.erased": none,
  "return.requested": {
    customer: customerReturnEmail("requested"),
    merchant: aboutReturn("requested"),
  },
  "return.accepted": { customer: customerReturnEmail("accepted"), merchant: null },
  "return.received": { customer: customerReturnEmail("received"), merchant: null },
  "return.completed": { customer: customerReturnEmail("completed"), merchant: null },
  "return.declined": { customer: customerReturnEmail("declined"), merchant: null },
  "return.withdrawn": { customer: null, merchant: aboutReturn("withdrawn") },
  "payment_issue.opened": { customer: null, merchant: aboutIssue },
  "payment_issue.resolved": none,
  "payment_issue.reopened": none,
  "stock.low": { customer: null, merchant: aboutLowStock },
  "webhook.test": none,
};

/** @returns no emails for an event that this version does not know */
export function emailsAbout(type: string): EventEmails {
  return isWebhookEventType(type) ? emailsByEvent[type] : none;
}

/** A correction sends an email only if it changes the shipping address of a paid order. */
export function isForCustomer(type: string, data: Delivery["data"] = {}): boolean {
  if (type === "order.corrected" && data.address_of_paid !== true) return false;
  return emailsAbout(type).customer !== null;
}

/** @returns `undefined` if the event sends no email, or is outdated */
export function customerEmail(type: string, parts: CustomerEmailParts): CustomerEmail | undefined {
  return isForCustomer(type, parts.data) ? emailsAbout(type).customer?.(parts) : undefined;
}

async function aboutPaidOrder(
  { subject }: Delivery,
  { database: { db }, adminUrl }: MerchantSources,
): Promise<Email | undefined> {
  const order = await findOrder(db, subject);
  const money = await readOrderMoney(db, subject);
  if (order === undefined || money === undefined) return undefined;
  const isOver = order.erased_at !== null || order.status === "Cancelled";
  return isOver ? undefined : orderPaidEmail(order, money, adminUrl);
}

function aboutReturn(expected: "requested" | "withdrawn") {
  return async (
    { subject, data }: Delivery,
    { database: { db }, adminUrl }: MerchantSources,
  ): Promise<Email | undefined> => {
    const order = await findOrder(db, subject);
    const returns = await findReturnsOfOrder(db, subject);
    const found = returns.find(({ id, state }) => id === data.return_id && state === expected);
    if (order === undefined || found === undefined) return undefined;
    return order.erased_at === null
      ? merchantReturnEmail(expected, order, found, adminUrl)
      : undefined;
  };
}

async function aboutIssue(
  { data }: Delivery,
  { database: { db }, adminUrl }: MerchantSources,
): Promise<Email | undefined> {
  const issue = await findIssue(db, String(data.issue_id));
  if (issue === undefined || issue.resolution !== undefined) return undefined;
  const account = await readAccount(db, accountKeyOf(issue));
  return issueEmail(issue, moneyByLoan(account).get(issue.loanId), adminUrl);
}

async function aboutLowStock(
  { subject, data: { stock } }: Delivery,
  { database: { db }, adminUrl }: MerchantSources,
): Promise<Email | undefined> {
  const item = await findItem(db, subject);
  if (item === undefined || typeof stock !== "number") return undefined;
  return stockLowEmail(item, stock, adminUrl);
}
