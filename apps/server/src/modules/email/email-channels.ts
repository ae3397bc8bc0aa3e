import { isPaidStatus, recipientOf } from "@keepsats/domain";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { AttemptResult, Channel, Deliver, Delivery } from "../../platform/outbox/channel.ts";
import type { DomainEvent } from "../../platform/outbox/emit-events.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../platform/scheduling/clock.ts";
import { findOrder, findReturnsOfOrder, listEvents } from "../orders/index.ts";
import { findCreditNoteNumber } from "../payments/index.ts";
import { customerEmail, emailsAbout, isForCustomer } from "./event-emails.ts";
import { readOrderMoney } from "./order-blocks.ts";
import type { Send } from "./send.ts";
import { noRecipient } from "./smtp.ts";
import { admitUnpaid } from "./unpaid-limit.ts";

interface Dependencies {
  /** Whether the shop sends email. */
  readonly isOn: () => boolean;
  readonly send: Send;
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
  ...Array<number>(27).fill(HOUR),
];
/** Older emails are skipped, for example after email was off, or a backup was restored. */
const MAX_AGE = 3 * DAY;

const limits = {
  retryDelays,
  timeout: 24 * SECOND,
  concurrency: { total: 4, perTarget: 4 },
  perSecond: 20,
};

/** While the shop sends no email, both are off and get no new deliveries. */
export function createEmailChannels(
  database: Database,
  { isOn, send, keyOf, publicUrl, adminUrl }: Dependencies,
): Channel[] {
  const { db } = database;

  /** Reads the order when it sends, so that the outbox has no personal data. */
  const deliverToCustomer: Deliver = async (delivery, signal) => {
    const { id, type, subject: orderId, data } = delivery;
    const order = await findOrder(db, orderId);
    const money = await readOrderMoney(db, orderId);
    if (order === undefined || money === undefined)
      return skipped("not sent: the order no longer exists");
    if (order.erased_at !== null)
      return skipped("not sent: the personal data of the order was erased");
    const link = `${publicUrl}/order?orderId=${orderId}#key=${keyOf(orderId)}`;
    const returns = await findReturnsOfOrder(db, orderId);
    const creditNote =
      typeof data.refund_id === "string"
        ? await findCreditNoteNumber(db, order, data.refund_id)
        : undefined;
    const email = customerEmail(type, { order, link, data, money, returns, creditNote });
    if (email === undefined) return skipped("not sent: it is outdated");
    const to = recipientOf(order.customer_email);
    if (to === undefined) return noRecipient;
    const isLimited =
      email.isAboutUnpaid === true &&
      !isPaidStatus(order.status) &&
      !(await isCancelledByStaff(db, delivery));
    const unpaid = { deliveryId: id, to, clientHash: order.client_hash };
    if (isLimited && !(await admitUnpaid(database, unpaid)))
      return skipped(
        "not sent: too many emails about unpaid orders to this address, or for orders from this network, within an hour",
      );
    return send(email, { to, id: emailIdOf(delivery), signal });
  };

  const deliverToMerchant: Deliver = async (delivery, signal) => {
    const template = emailsAbout(delivery.type).merchant;
    if (template === undefined) return skipped("not sent: unknown to this version");
    const email = await template(delivery, { db, adminUrl });
    if (email === undefined) return skipped("not sent: it is outdated");
    return send(email, { to: undefined, id: emailIdOf(delivery), signal });
  };

  const channelTo = (
    target: "customer" | "merchant",
    isWanted: (event: DomainEvent) => boolean,
    deliver: Deliver,
  ): Channel => ({
    ...limits,
    isOn,
    name: `email-${target}`,
    targetsOf: (event) => (isOn() && isWanted(event) ? [target] : []),
    async deliver(delivery, signal) {
      const age = database.now() - delivery.createdAt;
      return delivery.manualRetries === 0 && age > MAX_AGE
        ? skipped(`not sent: it is older than ${MAX_AGE / DAY} days`)
        : deliver(delivery, signal);
    },
  });

  return [
    channelTo("customer", ({ type, data }) => isForCustomer(type, data), deliverToCustomer),
    channelTo(
      "merchant",
      ({ type, data }) => emailsAbout(type).merchant !== undefined && data?.without_mail !== true,
      deliverToMerchant,
    ),
  ];
}

const skipped = (answer: string): AttemptResult => ({ kind: "skipped", answer });

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

/**
 * The same in every attempt, so that mail programs show an email once that was sent twice. A manual
 * retry has another one, so that it is shown.
 */
function emailIdOf({ id, manualRetries }: Delivery): string {
  return manualRetries === 0 ? id : `${id}.${manualRetries}`;
}
