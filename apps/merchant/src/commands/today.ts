import { formatMoney } from "@keepsats/domain";
import { paths, type Today, todaySchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { type Column, formatTime, json, printable, table } from "../output.ts";

const columns: readonly Column[] = [
  { head: "DAY (UTC)" },
  { head: "PLACED", right: true },
  { head: "PAID", right: true },
  { head: "AMOUNT", right: true },
];
/** How many days are printed; `--json` has all of them. */
const SHOWN_DAYS = 7;

/** `today`: what is to do, and the orders of the last days. */
export async function showToday({ client, output }: Call): Promise<void> {
  const today = await client.call({ path: paths.merchant.today, answer: todaySchema });
  if (output.json) return output.line(json(z.encode(todaySchema, today)));
  const days = today.days
    .slice(-SHOWN_DAYS)
    .map(({ day, placed, paid, paid_amount }) => [
      day,
      String(placed),
      String(paid),
      formatMoney(paid_amount),
    ]);
  const lines = [
    ...toDo(today),
    ...stateOf(today),
    "",
    ...table(columns, days, output.width),
    ...(today.counting ? ["", "The orders from before an upgrade are still being counted."] : []),
  ];
  output.line(lines.join("\n"));
}

/** What needs somebody, each with the command that lists it. */
function toDo(today: Today): string[] {
  const all: readonly (readonly [number, string, string])[] = [
    [today.to_ship, "to ship", "orders list --status PaymentProcessed"],
    [today.mismatches, "open mismatches", "mismatches list"],
    [today.refunds_owed, "orders whose refund is owed", "mismatches list --kind refund-owed"],
    [today.deliveries_given_up, "letters and messages given up", "deliveries list"],
    [today.low_stock, "items low in stock", "items list --stock low"],
    [today.sold_out, "items sold out", "items list --stock none"],
  ];
  const lines = all
    .filter(([count]) => count > 0)
    .map(([count, what, list]) => `${String(count).padStart(7)} ${what.padEnd(30)} ${list}`);
  return lines.length > 0 ? lines : ["Nothing is to do."];
}

/** Whether loan provider and mail are there. */
function stateOf({ provider, mail }: Today): string[] {
  const swept = provider.last_complete_sweep_at;
  const since = swept === null ? "" : `, all loans were read at ${formatTime(swept)} UTC`;
  const server = mail.state === "away" ? "the mail server is not accepting email" : "on";
  const waiting = mail.configured ? `${server}, ${mail.waiting} letters wait` : "off";
  return ["", `Loan provider: ${printable(provider.state)}${since}`, `Mail: ${waiting}`];
}
