import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { canMove, isOrderStatus, type StaffStatus, shortOrderId } from "@keepsats/domain";
import {
  type AdminOrder,
  ledgerSchema,
  noteAnswerSchema,
  paths,
  shipWarnings,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example } from "./arguments.ts";
import { recordOnce } from "./client.ts";
import { exitCodes } from "./errors.ts";
import { orderIdOf, readOrder } from "./lookup.ts";
import { cancellationTexts, refundOnceCancelled } from "./money.ts";
import { printable, printableLines } from "./output.ts";
import type { Session } from "./session.ts";

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
    .action(async (id, words, { key }) => {
      const answer = await recordOnce(session.client, key, {
        path: withId(paths.admin.notes, orderIdOf(id)),
        body: { text: words.join(" ") },
        answer: noteAnswerSchema,
      });
      session.show(answer, `The note is stored with order ${shortOrderId(answer.id)}.`);
    });
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

/** Moves an order, unless its status has changed since it was read. */
async function moveOrder(
  session: Session,
  id: string,
  to: StaffStatus,
  options: MoveOptions,
): Promise<void> {
  const order = await readOrder(session.client, id);
  // A status that this version does not know may permit it: the server decides.
  if (!isOrderStatus(order.status) || canMove(order.status, to))
    await confirmMove(session, order, to, options);
  const { carrier, tracking: tracking_number, link: tracking_url, reason, message } = options;
  const shipment = { carrier, tracking_number, tracking_url };
  const isDespite = options.despiteIssue || shipWarnings(order).hasIssue;
  const despite_issue = to === "Shipped" && isDespite ? true : undefined;
  const answer = await session.client.call({
    method: "POST",
    path: withId(paths.admin.transitions, order.id),
    body: { to, expected_status: order.status, reason, message, ...shipment, despite_issue },
    answer: transitionAnswerSchema,
  });
  const name = `Order ${shortOrderId(order.id)}`;
  const text = answer.changed
    ? `${name} is ${answer.status} now.`
    : `${name} was ${answer.status} already.`;
  if (to !== "Cancelled") return session.show(answer, text);
  const cancelled = await readOrder(session.client, answer.id);
  const ledger = z.encode(ledgerSchema, cancelled.ledger);
  const { refund_due, other_currencies, unknown_amounts } = ledger;
  session.show(
    { ...answer, refund_due, other_currencies, unknown_amounts },
    printableLines([text, ...cancellationTexts(cancelled, answer)].join("\n")),
  );
}

/** Asks before an order is cancelled whose money is to be refunded then, or shipped despite a warning. */
async function confirmMove(
  session: Session,
  order: AdminOrder,
  to: StaffStatus,
  { yes, despiteIssue }: MoveOptions,
): Promise<void> {
  const name = `Order ${shortOrderId(order.id)}`;
  switch (to) {
    case "Cancelled": {
      const due = refundOnceCancelled(order.ledger);
      if (due === "") return;
      const consequence = `${name} is ${order.status}: if you cancel it, you owe a refund of ${due}`;
      return session.confirm({ yes }, consequence, "Cancel it");
    }
    case "Shipped": {
      const { texts, hasIssue } = shipWarnings(order);
      if (texts.length === 0) return;
      const warning = printable(texts.join(" ").replace(/\.$/, ""));
      const how = hasIssue
        ? { yes: despiteIssue, option: "--despite-issue", exitCode: exitCodes.refused }
        : { yes };
      return session.confirm(how, `${name}: ${warning}`, "Ship it");
    }
    case "Delivered":
      return;
  }
}
