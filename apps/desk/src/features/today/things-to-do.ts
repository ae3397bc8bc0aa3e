import { formatGroupedMoney } from "@keepsats/domain";
import type { Today } from "@keepsats/protocol";
import { counted } from "../../ui/counted.ts";

/** One line of what is to do. */
export interface ThingToDo {
  readonly text: string;
  /** The address of the screen that lists exactly these. */
  readonly to: string;
}

/**
 * What is to do, the most urgent first: money, then orders, then what did not arrive, then stock.
 */
export function thingsToDo(today: Today): readonly ThingToDo[] {
  const { refunds_due: refunds, payment_issues: issues, to_ship, low_stock, sold_out } = today;
  const lines: readonly (ThingToDo & { readonly number: number })[] = [
    { number: issues + refunds.orders, text: paymentsText(today), to: "/payments" },
    {
      number: to_ship,
      text: `${counted(to_ship, "order")} to ship`,
      to: "/orders?status=PaymentProcessed",
    },
    { number: today.deliveries_given_up, text: undeliveredText(today), to: "/settings/mail" },
    { number: sold_out, text: `${counted(sold_out, "item")} sold out`, to: "/items?stock=none" },
    {
      number: low_stock,
      text: `${counted(low_stock, "item")} low in stock`,
      to: "/items?stock=low",
    },
  ];
  return lines.filter(({ number }) => number > 0).map(({ text, to }) => ({ text, to }));
}

/** Such as `5 payments need attention, 2 refunds due: $90.00`. */
function paymentsText({ payment_issues, refunds_due: { orders, amount } }: Today): string {
  const issues = counted(payment_issues, "payment needs attention", "payments need attention");
  // Refunds in other currencies are not in the amount.
  const sum = amount === 0 ? "" : `: ${formatGroupedMoney(amount)}`;
  const refunds = `${counted(orders, "refund")} due${sum}`;
  if (orders === 0) return issues;
  return payment_issues === 0 ? refunds : `${issues}, ${refunds}`;
}

/**
 * Failed deliveries are emails and webhook messages. For staff who may not see webhooks the server
 * counts emails only.
 */
function undeliveredText({ deliveries_given_up, mail }: Today): string {
  const emails = Math.min(mail.given_up, deliveries_given_up);
  const messages = deliveries_given_up - emails;
  const both = [
    ...(emails === 0 ? [] : [counted(emails, "email")]),
    ...(messages === 0 ? [] : [counted(messages, "webhook message")]),
  ];
  return `${both.join(" and ")} did not arrive`;
}
