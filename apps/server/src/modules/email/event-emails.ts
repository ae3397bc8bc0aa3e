import { isWebhookEventType } from "@keepsats/protocol";
import type { Queries } from "../../platform/database/database.ts";
import type { Delivery } from "../../platform/outbox/channel.ts";
import type { DomainEventType } from "../../platform/outbox/emit-events.ts";
import { findItem } from "../catalogue/index.ts";
import { findOrder, findReturnsOfOrder } from "../orders/index.ts";
import { accountKeyOf, findIssue, moneyByLoan, readAccount } from "../payments/index.ts";
import {
  addressCorrectedEmail,
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
  merchantPaidEmail,
  merchantReturnEmail,
  stockLowEmail,
} from "./merchant-templates.ts";
import { readOrderMoney } from "./order-blocks.ts";

type MerchantTemplate = (
  delivery: Delivery,
  sources: { readonly db: Queries; readonly adminUrl: string | undefined },
) => Promise<Email | undefined>;

/** The emails about an event. A template returns `undefined` if the event is outdated. */
interface EventEmails {
  readonly customer?: (parts: CustomerEmailParts) => Email | undefined;
  readonly merchant?: MerchantTemplate;
}

const aboutPaidOrder: MerchantTemplate = async ({ subject }, { db, adminUrl }) => {
  const order = await findOrder(db, subject);
  const money = await readOrderMoney(db, subject);
  if (order === undefined || money === undefined) return undefined;
  const isOver = order.erased_at !== null || order.status === "Cancelled";
  return isOver ? undefined : merchantPaidEmail(order, money, adminUrl);
};

function aboutReturn(expected: "requested" | "withdrawn"): MerchantTemplate {
  return async ({ subject, data }, { db, adminUrl }) => {
    const order = await findOrder(db, subject);
    const returns = await findReturnsOfOrder(db, subject);
    const found = returns.find(({ id, state }) => id === data.return_id && state === expected);
    if (order === undefined || found === undefined || order.erased_at !== null) return undefined;
    return merchantReturnEmail(expected, order, found, adminUrl);
  };
}

const aboutIssue: MerchantTemplate = async ({ data }, { db, adminUrl }) => {
  const issue = await findIssue(db, String(data.issue_id));
  if (issue === undefined || issue.resolution !== undefined) return undefined;
  const account = await readAccount(db, accountKeyOf(issue));
  return issueEmail(issue, moneyByLoan(account).get(issue.loanId), adminUrl);
};

const aboutLowStock: MerchantTemplate = async ({ subject, data: { stock } }, { db, adminUrl }) => {
  const item = await findItem(db, subject);
  if (item === undefined || typeof stock !== "number") return undefined;
  return stockLowEmail(item, stock, adminUrl);
};

const emailsByEvent: Readonly<Record<DomainEventType, EventEmails>> = {
  "order.placed": { customer: placedEmail },
  "order.payment_started": {},
  "order.payment_failed": { customer: paymentFailedEmail },
  "order.paid": { customer: paidEmail, merchant: aboutPaidOrder },
  "order.shipped": { customer: shippedEmail },
  "order.delivered": { customer: deliveredEmail },
  "order.corrected": { customer: addressCorrectedEmail },
  "order.cancelled": { customer: cancelledEmail },
  "order.refunded": { customer: refundedEmail },
  "order.refund_reversed": {},
  "order.erased": {},
  "return.requested": {
    customer: customerReturnEmail("requested"),
    merchant: aboutReturn("requested"),
  },
  "return.accepted": { customer: customerReturnEmail("accepted") },
  "return.received": { customer: customerReturnEmail("received") },
  "return.completed": { customer: customerReturnEmail("completed") },
  "return.declined": { customer: customerReturnEmail("declined") },
  "return.withdrawn": { merchant: aboutReturn("withdrawn") },
  "payment_issue.opened": { merchant: aboutIssue },
  "payment_issue.resolved": {},
  "payment_issue.reopened": {},
  "stock.low": { merchant: aboutLowStock },
  "webhook.test": {},
};

/** @returns none for an event that this version does not know */
export function emailsAbout(type: string): EventEmails {
  return isWebhookEventType(type) ? emailsByEvent[type] : {};
}

/** A correction sends an email only if it changes the shipping address of a paid order. */
export function isForCustomer(type: string, data: Delivery["data"] = {}): boolean {
  if (type === "order.corrected" && data.address_of_paid !== true) return false;
  return emailsAbout(type).customer !== undefined;
}

/** @returns `undefined` if the event sends no email, or is outdated */
export function customerEmail(type: string, parts: CustomerEmailParts): Email | undefined {
  return isForCustomer(type, parts.data) ? emailsAbout(type).customer?.(parts) : undefined;
}
