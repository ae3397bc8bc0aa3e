import { amountFromCents, canMove, isOrderStatus, type OrderStatus, shortOrderId } from "@keepsats/domain";
import {
  type MerchantOrder,
  merchantOrderSchema,
  paths,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import type { Client } from "../client.ts";
import { CommandFailed, exitCodes } from "../exit.ts";
import { json, type Output } from "../output.ts";
import { formatOwed, owedWhenCancelled } from "../owed.ts";

/** A requested status change. */
export interface Move {
  readonly id: string;
  readonly to: OrderStatus;
  readonly reason?: string | undefined;
  /** Whether to cancel a paid order without asking. */
  readonly yes: boolean;
}

/**
 * `orders ship|deliver|cancel ID`. The order is changed only if it still has the status that was read. Cancelling a
 * paid order makes a refund due, so the user is asked first.
 *
 * @param ask asks the user at the terminal; `undefined` without a terminal
 */
export async function moveOrder(
  client: Client,
  output: Output,
  move: Move,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<void> {
  const order = await readOrder(client, move.id);
  if (move.to === "Cancelled" && !move.yes) await confirmCancelling(order, ask);
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, order.id),
    body: {
      to: move.to,
      expected_status: order.status,
      ...(move.reason === undefined ? {} : { reason: move.reason }),
    },
    answer: transitionAnswerSchema,
  });
  const cancelled = answer.status === "Cancelled" ? await readOrder(client, answer.id) : undefined;
  if (output.json) {
    const owed = cancelled === undefined ? {} : { owed: amountFromCents(owedWhenCancelled(cancelled).cents) };
    return output.line(json({ ...answer, ...owed }));
  }
  const name = `Order ${shortOrderId(answer.id)}`;
  output.line(answer.changed ? `${name} is ${answer.status} now.` : `${name} was ${answer.status} already.`);
  if (cancelled !== undefined) tellOfMoney(output, cancelled);
}

function readOrder(client: Client, id: string): Promise<MerchantOrder> {
  return client.call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema });
}

/** @throws {CommandFailed} if it is not confirmed */
async function confirmCancelling(
  order: MerchantOrder,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<void> {
  const owed = owedWhenCancelled(order);
  // A status that this version does not know may permit it: the server decides.
  const mayCancel = !isOrderStatus(order.status) || canMove(order.status, "Cancelled");
  if (owed.loans === 0 || !mayCancel) return;
  const name = `Order ${shortOrderId(order.id)}`;
  const what = `${name} is ${order.status}: if you cancel it, you owe a refund of ${formatOwed(owed)}`;
  if (ask === undefined) {
    throw new CommandFailed(exitCodes.usage, `${what}. Add --yes to cancel it; nothing was changed.`);
  }
  const answer = await ask(`${what}. Cancel it? [y/N] `);
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new CommandFailed(exitCodes.usage, "Nothing was changed.");
}

/** Writes what to do about the loans of a cancelled order. */
function tellOfMoney(output: Output, order: MerchantOrder): void {
  const owed = owedWhenCancelled(order);
  if (owed.loans > 0) {
    const times = owed.loans === 1 ? "" : ` by ${owed.loans} loans`;
    output.line(`It was paid${times}: you owe a refund of ${formatOwed(owed)}.`);
  }
  if (order.contracts.some(({ meaning }) => meaning === "processing")) {
    output.line('A loan for it is under way. If it is paid out, "payments mismatches" lists it.');
  }
}
