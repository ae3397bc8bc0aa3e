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
  erasureAnswerSchema,
  idempotencyHeader,
  type MerchantOrder,
  noteAnswerSchema,
  paths,
  refundAnswerSchema,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, parseAmount } from "./arguments.ts";
import { CommandFailed, OutcomeUnknown } from "./exit.ts";
import { formatOwed, orderIdOf, owedWhenCancelled, readOrder } from "./order.ts";
import { formatTime, printable } from "./output.ts";
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
    .action((id, options) => cancelOrder(session, id, options));
  orders
    .command("note <id> <text...>")
    .description("stores a note that customers do not see")
    .addHelpText("after", example('orders note 0e4b3a51 "Called: wants it before Friday"'))
    .action((id, words) => noteOrder(session, id, words.join(" ")));
  orders
    .command("refund <id>")
    .argument("<amount>", "in dollars", parseAmount)
    .description("records money that you gave back (the shop pays none)")
    .requiredOption("--method <text>", "how, such as bank transfer")
    .option("--reference <text>", "such as the number of the transfer")
    .option("--key <text>", "the key of a refund that may be recorded already")
    .addHelpText("after", example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action((id, amount, options) => recordRefund(session, id, amount, options));
  orders
    .command("erase <id>")
    .description("removes name, email, addresses and notes; asks first")
    .option("--yes", "do not ask")
    .addHelpText("after", example("orders erase 0e4b3a51"))
    .action((id, options) => eraseOrder(session, id, options));
}

interface MoveOptions {
  readonly carrier?: string;
  readonly tracking?: string;
  readonly link?: string;
  readonly reason?: string;
  readonly message?: string;
}

async function moveOrder(
  { client, show }: Session,
  id: string,
  to: MerchantStatus,
  options: MoveOptions,
): Promise<void> {
  const answer = await requestMove(client, await readOrder(client, id), to, options);
  show(answer, movedText(answer));
}

/** Moves an order only if it still has the status that was read. */
function requestMove(
  client: Session["client"],
  order: MerchantOrder,
  to: MerchantStatus,
  { carrier, tracking, link, reason, message }: MoveOptions,
) {
  return client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, order.id),
    body: {
      to,
      expected_status: order.status,
      carrier,
      tracking_number: tracking,
      tracking_url: link,
      reason,
      message,
    },
    answer: transitionAnswerSchema,
  });
}

function movedText({ id, status, changed }: z.output<typeof transitionAnswerSchema>): string {
  const name = `Order ${shortOrderId(id)}`;
  return changed ? `${name} is ${status} now.` : `${name} was ${status} already.`;
}

/** Asks before a paid order is cancelled, because its refund becomes due. */
async function cancelOrder(
  { client, confirm, show }: Session,
  id: string,
  { yes, ...options }: MoveOptions & { readonly yes?: true },
): Promise<void> {
  const order = await readOrder(client, id);
  const owed = owedWhenCancelled(order);
  // A status that this version does not know may permit it: the server decides.
  const mayCancel = !isOrderStatus(order.status) || canMove(order.status, "Cancelled");
  if (owed.loans > 0 && mayCancel) {
    const name = `Order ${shortOrderId(order.id)}`;
    const consequence = `${name} is ${order.status}: if you cancel it, you owe a refund of ${formatOwed(owed)}`;
    await confirm({ yes }, consequence, "Cancel it");
  }
  const answer = await requestMove(client, order, "Cancelled", options);
  const cancelled = await readOrder(client, answer.id);
  show(
    { ...answer, owed: amountFromCents(owedWhenCancelled(cancelled).cents) },
    [movedText(answer), ...moneyTexts(cancelled)].join("\n"),
  );
}

/** What to do about the loans of a cancelled order. */
function moneyTexts(order: MerchantOrder): string[] {
  const owed = owedWhenCancelled(order);
  const times = owed.loans === 1 ? "" : ` by ${owed.loans} loans`;
  const isActive = order.contracts.some(({ meaning }) => meaning === "processing");
  return [
    ...(owed.loans === 0 ? [] : [`It was paid${times}: you owe a refund of ${formatOwed(owed)}.`]),
    ...(isActive
      ? ['A loan for it is under way. If it is paid out, "mismatches list" shows it.']
      : []),
  ];
}

async function noteOrder({ client, show }: Session, id: string, text: string): Promise<void> {
  const path = withId(paths.merchant.notes, orderIdOf(id));
  const answer = await client.call({
    method: "POST",
    path,
    body: { text },
    answer: noteAnswerSchema,
  });
  show(answer, `The note is stored with order ${shortOrderId(answer.id)}.`);
}

/** A refund whose answer was lost names the key with which its repetition records it once. */
async function recordRefund(
  { client, show }: Session,
  id: string,
  amount: number,
  options: { readonly method: string; readonly reference?: string; readonly key?: string },
): Promise<void> {
  const { method, reference, key = randomUUID() } = options;
  const answer = await client
    .call({
      method: "POST",
      path: withId(paths.merchant.refunds, orderIdOf(id)),
      headers: { [idempotencyHeader]: key },
      body: { amount, method, reference },
      answer: refundAnswerSchema,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      const how = `It may be recorded. Repeat it with --key ${printable(key)}, which records it once.`;
      throw new CommandFailed(error.exitCode, `${error.message}\n${how}`);
    });
  const { owed, given_back } = answer.ledger;
  const rest = owed > 0 ? `${formatMoney(owed)} is still owed` : "nothing more is owed";
  show(
    z.encode(refundAnswerSchema, answer),
    `The refund is recorded: ${formatMoney(given_back)} given back, ${rest}.`,
  );
}

async function eraseOrder(
  { client, confirm, show }: Session,
  id: string,
  options: { readonly yes?: true },
): Promise<void> {
  const order = await readOrder(client, id);
  const whose = `order ${shortOrderId(order.id)} of ${printable(order.customer_name)}`;
  const consequence = `Name, e-mail, addresses and notes of ${whose} will be gone for good`;
  await confirm(options, consequence, "Erase them");
  const path = withId(paths.merchant.erasure, order.id);
  const answer = await client.call({ method: "POST", path, answer: erasureAnswerSchema });
  const name = `Order ${shortOrderId(answer.id)}`;
  show(
    z.encode(erasureAnswerSchema, answer),
    `${name} was erased at ${formatTime(answer.erased_at)} UTC.`,
  );
}
