import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { canMove, isOrderStatus, type MerchantStatus, shortOrderId } from "@keepsats/domain";
import {
  ledgerSchema,
  type MerchantOrder,
  noteAnswerSchema,
  paths,
  shipWarnings,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example } from "./arguments.ts";
import { cancellationTexts, refundOnceCancelled } from "./cancellation.ts";
import { exitCodes } from "./exit.ts";
import { orderIdOf, readOrder } from "./order.ts";
import { printable, printableLines } from "./output.ts";
import { recordOnce } from "./record-once.ts";
import { addRefundCommand, type RefundOptions, recordRefund, refundedIn } from "./refunds.ts";
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
    .option("--yes", "do not ask about a changed address")
    .option("--despite-issue", "ship it although the loan provider reports a change of its payment")
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
  addRefundCommand(orders)
    .option("--issue <id>", "the payment issue that it is for")
    .description("records a refund that you have made (the shop pays none)")
    .addHelpText("after", example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action((id, amount, options) => refundOrder(session, id, amount, options));
}

interface MoveOptions {
  readonly carrier?: string;
  readonly tracking?: string;
  readonly link?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly yes?: true;
  readonly despiteIssue?: true;
}

/** Moves an order only if it still has the status that was read. */
async function moveOrder(
  session: Session,
  id: string,
  to: MerchantStatus,
  options: MoveOptions,
): Promise<void> {
  const { client, show } = session;
  const order = await readOrder(client, id);
  if (mayBecome(order, to)) await confirmMove(session, order, to, options);
  const { carrier, tracking: tracking_number, link: tracking_url, reason, message } = options;
  const shipment = { carrier, tracking_number, tracking_url };
  const isDespite = options.despiteIssue || shipWarnings(order).hasIssue;
  const despite_issue = to === "Shipped" && isDespite ? true : undefined;
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, order.id),
    body: { to, expected_status: order.status, reason, message, ...shipment, despite_issue },
    answer: transitionAnswerSchema,
  });
  const name = `Order ${shortOrderId(order.id)}`;
  const text = answer.changed
    ? `${name} is ${answer.status} now.`
    : `${name} was ${answer.status} already.`;
  if (to !== "Cancelled") return show(answer, text);
  const cancelled = await readOrder(client, answer.id);
  const { refund_due, other_currencies, unknown_amounts } = z.encode(
    ledgerSchema,
    cancelled.ledger,
  );
  show(
    { ...answer, refund_due, other_currencies, unknown_amounts },
    printableLines([text, ...cancellationTexts(cancelled, answer)].join("\n")),
  );
}

function mayBecome({ status }: MerchantOrder, to: MerchantStatus): boolean {
  // A status that this version does not know may permit it: the server decides.
  return !isOrderStatus(status) || canMove(status, to);
}

/** Asks before an order is cancelled whose money must be refunded then, or shipped despite a warning. */
async function confirmMove(
  { confirm }: Session,
  order: MerchantOrder,
  to: MerchantStatus,
  { yes, despiteIssue }: MoveOptions,
): Promise<void> {
  const name = `Order ${shortOrderId(order.id)}`;
  switch (to) {
    case "Cancelled": {
      const due = refundOnceCancelled(order.ledger);
      if (due === "") return;
      const consequence = `${name} is ${order.status}: if you cancel it, you owe a refund of ${due}`;
      return confirm({ yes }, consequence, "Cancel it");
    }
    case "Shipped": {
      const { texts, hasIssue } = shipWarnings(order);
      if (texts.length === 0) return;
      const warning = printable(texts.join(" ").replace(/\.$/, ""));
      const how = hasIssue
        ? { yes: despiteIssue, option: "--despite-issue", exitCode: exitCodes.refused }
        : { yes };
      return confirm(how, `${name}: ${warning}`, "Ship it");
    }
    case "Delivered":
      return;
  }
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

async function refundOrder(
  session: Session,
  id: string,
  amount: number,
  options: RefundOptions & { readonly issue?: string },
): Promise<void> {
  const { issue: issueId, currency, expectedRefunded } = options;
  const path = withId(paths.merchant.refunds, orderIdOf(id));
  const refund = { path, amount, options, issueId };
  if (expectedRefunded !== undefined) return recordRefund(session, refund);
  const { ledger, payment_issues } = await readOrder(session.client, id);
  const issue = payment_issues.find((one) => one.id === issueId);
  const refunded = refundedIn(ledger, currency ?? issue?.balance.currency);
  return recordRefund(session, { ...refund, refunded });
}
