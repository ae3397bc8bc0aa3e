import { randomUUID } from "node:crypto";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  amountFromCents,
  canMove,
  formatMoney,
  isOrderStatus,
  type MerchantStatus,
  shortOrderId,
} from "@keepsats/domain";
import {
  type MerchantOrder,
  noteAnswerSchema,
  paths,
  refundAnswerSchema,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, parseAmount } from "./arguments.ts";
import type { Call, Client } from "./client.ts";
import { CommandFailed, OutcomeUnknown } from "./exit.ts";
import { formatRefundDue, orderIdOf, readOrder, refundDueWhenCancelled } from "./order.ts";
import { printable } from "./output.ts";
import type { Session } from "./session.ts";

/** Adds the commands that change an order. */
export function addOrderChanges(orders: CommandUnknownOpts, session: Session): void {
  orders
    .command("ship <id>")
    .description("marks it as shipped")
    .option("--carrier <name>", "such as DHL")
    .option("--tracking <number>", "the number of the parcel")
    .option("--link <url>", "the page on which the carrier shows the parcel")
    .option("--reason <text>", "for the order's history")
    .addHelpText("after", example("orders ship 0e4b3a51 --carrier DHL --tracking JD0123"))
    .action((id, options) => moveOrder(session, id, "Shipped", options));
  orders
    .command("deliver <id>")
    .description("marks it as delivered")
    .option("--reason <text>", "for the order's history")
    .addHelpText("after", example("orders deliver 0e4b3a51"))
    .action((id, options) => moveOrder(session, id, "Delivered", options));
  orders
    .command("cancel <id>")
    .description("cancels it; asks first if it was paid")
    .option("--reason <text>", "for the order's history")
    .option("--message <text>", "for the customer")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      example('orders cancel 0e4b3a51 --message "We are sorry, it is sold out."'),
    )
    .action((id, options) => moveOrder(session, id, "Cancelled", options));
  orders
    .command("note <id> <text...>")
    .description("stores a note that customers do not see")
    .option("--key <text>", "the key of a note that may be recorded already")
    .addHelpText("after", example('orders note 0e4b3a51 "Called: wants it before Friday"'))
    .action((id, words, { key }) => noteOrder(session, id, words.join(" "), key));
  orders
    .command("refund <id>")
    .argument("<amount>", "in dollars", parseAmount)
    .description("records a refund that you have made (the shop pays none)")
    .requiredOption("--method <text>", "how, such as bank transfer")
    .option("--reference <text>", "such as the number of the transfer")
    .option("--key <text>", "the key of a refund that may be recorded already")
    .addHelpText("after", example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action((id, amount, options) => recordRefund(session, id, amount, options));
}

interface MoveOptions {
  readonly carrier?: string;
  readonly tracking?: string;
  readonly link?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly yes?: true;
}

/** Moves an order only if it still has the status that was read. */
async function moveOrder(
  { client, confirm, show }: Session,
  id: string,
  to: MerchantStatus,
  { carrier, tracking: tracking_number, link: tracking_url, reason, message, yes }: MoveOptions,
): Promise<void> {
  const order = await readOrder(client, id);
  if (to === "Cancelled" && isRefundDue(order))
    await confirm(
      { yes },
      `Order ${shortOrderId(order.id)} is ${order.status}: if you cancel it, you owe a refund of ${formatRefundDue(refundDueWhenCancelled(order))}`,
      "Cancel it",
    );
  const shipment = { carrier, tracking_number, tracking_url };
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, order.id),
    body: { to, expected_status: order.status, reason, message, ...shipment },
    answer: transitionAnswerSchema,
  });
  const name = `Order ${shortOrderId(answer.id)}`;
  const text = answer.changed
    ? `${name} is ${answer.status} now.`
    : `${name} was ${answer.status} already.`;
  if (to !== "Cancelled") return show(answer, text);
  const cancelled = await readOrder(client, answer.id);
  const refund_due = amountFromCents(refundDueWhenCancelled(cancelled).cents);
  show({ ...answer, refund_due }, [text, ...moneyTexts(cancelled)].join("\n"));
}

/** Whether a refund becomes due if an order is cancelled. */
function isRefundDue(order: MerchantOrder): boolean {
  // A status that this version does not know may permit it: the server decides.
  const mayCancel = !isOrderStatus(order.status) || canMove(order.status, "Cancelled");
  return mayCancel && refundDueWhenCancelled(order).loans > 0;
}

/** What to do about the loans of a cancelled order. */
function moneyTexts(order: MerchantOrder): string[] {
  const due = refundDueWhenCancelled(order);
  const times = due.loans === 1 ? "" : ` by ${due.loans} loans`;
  const texts =
    due.loans === 0 ? [] : [`It was paid${times}: you owe a refund of ${formatRefundDue(due)}.`];
  if (order.loans.some(({ state }) => state === "active"))
    texts.push('A loan for it is under way. If it is paid out, "payment-issues list" shows it.');
  return texts;
}

async function noteOrder(
  { client, show }: Session,
  id: string,
  text: string,
  key?: string,
): Promise<void> {
  const answer = await recordOnce(client, key, {
    path: withId(paths.merchant.notes, orderIdOf(id)),
    body: { text },
    answer: noteAnswerSchema,
  });
  show(answer, `The note is stored with order ${shortOrderId(answer.id)}.`);
}

async function recordRefund(
  { client, show }: Session,
  id: string,
  amount: number,
  options: { readonly method: string; readonly reference?: string; readonly key?: string },
): Promise<void> {
  const { method, reference, key } = options;
  const answer = await recordOnce(client, key, {
    path: withId(paths.merchant.refunds, orderIdOf(id)),
    body: { amount, method, reference },
    answer: refundAnswerSchema,
  });
  const { refund_due, refunded } = answer.ledger;
  const rest = refund_due > 0 ? `${formatMoney(refund_due)} is still due` : "nothing more is due";
  show(
    z.encode(refundAnswerSchema, answer),
    `The refund is recorded: ${formatMoney(refunded)} refunded, ${rest}.`,
  );
}

/** If the answer is lost, the error names the key: a repetition with it records nothing twice. */
async function recordOnce<Schema extends z.ZodMiniType>(
  client: Client,
  key: string = randomUUID(),
  call: Pick<Call<Schema>, "path" | "body" | "answer">,
): Promise<z.output<Schema>> {
  try {
    return await client.call({ ...call, method: "POST", idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const how = `It may be recorded. Repeat it with --key ${printable(key)}, which records it once.`;
    throw new CommandFailed(error.exitCode, `${error.message}\n${how}`);
  }
}
