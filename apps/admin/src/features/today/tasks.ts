import { formatGroupedMoney } from "@keepsats/domain";
import type { Today } from "@keepsats/protocol";
import { counted } from "../../lib/format.ts";

/**
 * The open tasks, most urgent first: money, orders, failed deliveries, stock. `to` is the screen
 * that lists exactly the counted things.
 */
export function tasksOf(today: Today) {
  const { refunds_due: refunds, payment_issues: issues, to_ship, low_stock, sold_out } = today;
  const { returns_requested: requested = 0, returns_received: arrived = 0 } = today;
  const tasks = [
    { number: issues + refunds.orders, text: paymentsText(today), to: "/payments" },
    {
      number: to_ship,
      text: `${counted(to_ship, "order")} to ship`,
      to: "/orders?status=PaymentProcessed",
    },
    { number: requested + arrived, text: returnsText(requested, arrived), to: "/returns" },
    { number: today.failed_deliveries, text: failedDeliveriesText(today), to: "/settings/email" },
    { number: sold_out, text: `${counted(sold_out, "item")} sold out`, to: "/items?stock=none" },
    {
      number: low_stock,
      text: `${counted(low_stock, "item")} low in stock`,
      to: "/items?stock=low",
    },
  ];
  return tasks.filter(({ number }) => number > 0).map(({ text, to }) => ({ text, to }));
}

function paymentsText({ payment_issues, refunds_due: { orders, amount } }: Today): string {
  const issues = counted(payment_issues, "payment needs attention", "payments need attention");
  // The amount does not include refunds in other currencies.
  const sum = amount === 0 ? "" : `: ${formatGroupedMoney(amount)}`;
  const refunds = `${counted(orders, "refund")} due${sum}`;
  if (orders === 0) return issues;
  return payment_issues === 0 ? refunds : `${issues}, ${refunds}`;
}

function returnsText(requested: number, arrived: number): string {
  if (arrived === 0) return `${counted(requested, "return")} requested`;
  if (requested === 0) return `${counted(arrived, "return")} arrived`;
  return `${counted(requested, "return")} requested, ${arrived} arrived`;
}

/** For staff who may not see webhooks the server counts only emails. */
function failedDeliveriesText({ failed_deliveries, mail }: Today): string {
  const emails = Math.min(mail.failed, failed_deliveries);
  const messages = failed_deliveries - emails;
  const both = [
    ...(emails === 0 ? [] : [counted(emails, "email")]),
    ...(messages === 0 ? [] : [counted(messages, "webhook message")]),
  ];
  return `${both.join(" and ")} did not arrive`;
}
