import {
  amountFromCents,
  canMove,
  isOrderStatus,
  type OrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import {
  type MerchantOrder,
  merchantOrderSchema,
  paths,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import type { Client } from "../client.ts";
import type { Call, OptionName, Options } from "../command.ts";
import { json, type Output } from "../output.ts";
import { formatOwed, owedWhenCancelled } from "../owed.ts";

/** The options that say how an order travels. */
export const travelOptions = ["carrier", "tracking", "link"] as const satisfies OptionName[];
export type TravelName = (typeof travelOptions)[number];

/** How an order travels; only the fields that are given. */
export function shipmentOf({ carrier, tracking, link }: Options<TravelName>) {
  return { carrier, tracking_number: tracking, tracking_url: link };
}

/** The id of an order without the `#` with which the screens show it. */
export function orderIdOf(typed = ""): string {
  return typed.replace(/^#/, "");
}

/**
 * `orders ship|deliver|cancel ID`. The order is changed only if it still has the status that was
 * read. Cancelling a paid order makes a refund due, so the user is asked first.
 */
export async function moveOrder(
  { client, output, args, options, confirm }: Call<TravelName | "reason" | "message" | "yes">,
  to: OrderStatus,
): Promise<void> {
  const order = await readOrder(client, orderIdOf(args[0]));
  if (to === "Cancelled") await confirmCancelling(order, confirm);
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, order.id),
    body: {
      to,
      expected_status: order.status,
      reason: options.reason,
      message: options.message,
      ...shipmentOf(options),
    },
    answer: transitionAnswerSchema,
  });
  const cancelled = answer.status === "Cancelled" ? await readOrder(client, answer.id) : undefined;
  if (output.json) {
    const owed =
      cancelled === undefined ? {} : { owed: amountFromCents(owedWhenCancelled(cancelled).cents) };
    return output.line(json({ ...answer, ...owed }));
  }
  const name = `Order ${shortOrderId(answer.id)}`;
  output.line(
    answer.changed ? `${name} is ${answer.status} now.` : `${name} was ${answer.status} already.`,
  );
  if (cancelled !== undefined) tellOfMoney(output, cancelled);
}

/** Reads an order by its id or the beginning of it. */
export function readOrder(client: Client, id: string): Promise<MerchantOrder> {
  return client.call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema });
}

/** @throws {CommandFailed} if it is not confirmed */
async function confirmCancelling(order: MerchantOrder, confirm: Call["confirm"]): Promise<void> {
  const owed = owedWhenCancelled(order);
  // A status that this version does not know may permit it: the server decides.
  const mayCancel = !isOrderStatus(order.status) || canMove(order.status, "Cancelled");
  if (owed.loans === 0 || !mayCancel) return;
  const name = `Order ${shortOrderId(order.id)}`;
  const what = `${name} is ${order.status}: if you cancel it, you owe a refund of ${formatOwed(owed)}`;
  await confirm(what, "Cancel it");
}

/** Writes what to do about the loans of a cancelled order. */
function tellOfMoney(output: Output, order: MerchantOrder): void {
  const owed = owedWhenCancelled(order);
  if (owed.loans > 0) {
    const times = owed.loans === 1 ? "" : ` by ${owed.loans} loans`;
    output.line(`It was paid${times}: you owe a refund of ${formatOwed(owed)}.`);
  }
  if (order.contracts.some(({ meaning }) => meaning === "processing")) {
    output.line('A loan for it is under way. If it is paid out, "mismatches list" shows it.');
  }
}
