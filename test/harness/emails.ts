import type { JournalKind } from "@keepsats/domain";
import type { Email, Look } from "../../apps/server/src/modules/email/email.ts";
import { customerEmail } from "../../apps/server/src/modules/email/event-emails.ts";
import { type OrderMoney, orderMoneyOf } from "../../apps/server/src/modules/email/order-blocks.ts";
import { renderHtml, renderText } from "../../apps/server/src/modules/email/render.ts";
import { aNumberedOrder } from "./builders.ts";

export const look: Look = {
  shopName: "Bits & Bobs",
  accent: "#3aa6ff",
  greeting: "Hello,",
  signature: "Yours,\nBob",
  pictures: { items: new Map() },
};
/** The id of the orders of {@link written}. */
export const orderId = "1a2b3c4d-0000-4000-8000-000000000000";
export const link = `https://shop.example/order?orderId=${orderId}#key=abcdefghijklmnopqrstuv`;
export const evil = `<script>alert(1)</script> "x" www.evil.example http://evil.example/?a=b&c=d eve@evil.example`;

/**
 * An entry of a journal: its kind, its amount in cents, and the currency if that is not dollars.
 */
export type Entry = readonly [kind: JournalKind, cents: number | undefined, currency?: string];

/** The money of an order of $45.00 with these entries; the amount of a payout may be unknown. */
export function moneyOf(
  status: string,
  entries: readonly Entry[],
  hasOpenLoans = false,
): OrderMoney {
  const journal = entries.map(([kind, cents, currency = "USD"]) => {
    const amount = { amount: cents ?? 0, unknown: cents === undefined ? 1 : 0, currency };
    return { kind, ...amount, loanId: "loan-1", refundId: "refund-1" };
  });
  return orderMoneyOf({ order: { status, total: 4_500 }, entries: journal }, hasOpenLoans);
}
export const noMoney = moneyOf("Pending", []);
export const paidMoney = moneyOf("PaymentProcessed", [["received", 4_500]]);

/** The email to the customer about an event. */
export function written(
  type: string,
  changes: Parameters<typeof aNumberedOrder>[0] = {},
  data = {},
  money = noMoney,
): Email {
  const parts = {
    order: aNumberedOrder({ id: orderId, ...changes }),
    link,
    data,
    money,
    returns: [],
  };
  return emailOf(customerEmail(type, parts));
}

export function emailOf(email: Email | undefined): Email {
  if (email === undefined) throw new Error("there is no email");
  return email;
}

/** Both forms of an email. */
export const forms = (email: Email) => [renderText(email, look), renderHtml(email, look)] as const;

export const aReturn = {
  id: "return-1",
  state: "accepted",
  lines: [{ item_id: "moka-pot", quantity: 1 }],
  reason: `too small ${evil}`,
  message: "Send it to 1 Main Street.",
  by: "customer",
  by_name: null,
  refund_id: null,
  opened_at: 1,
  changed_at: 1,
};
