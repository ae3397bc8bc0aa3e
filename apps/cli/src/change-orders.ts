import { randomUUID } from "node:crypto";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { canMove, isOrderStatus, type StaffStatus, shortOrderId } from "@keepsats/domain";
import {
  type AdminOrder,
  ledgerSchema,
  noteAnswerSchema,
  type OrderMove,
  type OrderMoveAnswer,
  orderMoveAnswerSchema,
  paths,
  shipWarnings,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example } from "./arguments.ts";
import { exitCodes } from "./errors.ts";
import { orderIdOf, readOrder } from "./lookup.ts";
import { cancellationTexts, refundOnceCancelled } from "./money.ts";
import { printable, printableLines } from "./output.ts";
import type { Session } from "./session.ts";

export function addOrderChanges(orders: CommandUnknownOpts, session: Session): void {
  orders
    .command("ship <id>")
    .description("Mark an order as shipped")
    .option("--carrier <name>", "such as DHL")
    .option("--tracking <number>", "the number of the parcel")
    .option("--link <url>", "the page on which the carrier shows the parcel")
    .option("--reason <text>", "for the order's history")
    .option("--yes", "do not ask about a changed address")
    .option("--despite-issue", "ship it despite an open payment issue")
    .addHelpText(...example("orders ship 0e4b3a51 --carrier DHL --tracking JD0123"))
    .action(async (id, { yes, despiteIssue, reason, carrier, tracking, link }) => {
      const order = await readOrder(session.client, id);
      const { texts, hasIssue } = shipWarnings(order);
      if (texts.length > 0 && mayMove(order, "Shipped")) {
        const warning = printable(texts.join(" ").replace(/\.$/, ""));
        const confirmation = hasIssue
          ? { yes: despiteIssue, option: "--despite-issue", exitCode: exitCodes.refused }
          : { yes };
        await session.confirm(confirmation, `${nameOf(order)}: ${warning}`, "Ship it");
      }
      const shipment = { carrier, tracking_number: tracking, tracking_url: link };
      const despite_issue = hasIssue || despiteIssue;
      const move = moveCallOf(order, { to: "Shipped", reason, ...shipment, despite_issue });
      await session.perform(move, moveText);
    });
  orders
    .command("deliver <id>")
    .description("Mark an order as delivered")
    .option("--reason <text>", "for the order's history")
    .addHelpText(...example("orders deliver 0e4b3a51"))
    .action(async (id, { reason }) => {
      const order = await readOrder(session.client, id);
      await session.perform(moveCallOf(order, { to: "Delivered", reason }), moveText);
    });
  orders
    .command("cancel <id>")
    .description("Cancel an order; asks first if it was paid")
    .option("--reason <text>", "for the order's history")
    .option("--message <text>", "for the customer")
    .option("--yes", "do not ask")
    .addHelpText(...example('orders cancel 0e4b3a51 --message "We are sorry, it is sold out."'))
    .action(async (id, { yes, reason, message }) => {
      const order = await readOrder(session.client, id);
      const due = refundOnceCancelled(order.ledger);
      if (due !== "" && mayMove(order, "Cancelled")) {
        const consequence = `${nameOf(order)} is ${order.status}: if you cancel it, you owe a refund of ${due}`;
        await session.confirm({ yes }, consequence, "Cancel it");
      }
      const move = moveCallOf(order, { to: "Cancelled", reason, message });
      const answer = await session.client.call(move);
      const cancelled = await readOrder(session.client, answer.id);
      const ledger = z.encode(ledgerSchema, cancelled.ledger);
      const { refund_due, other_currencies, unknown_amounts } = ledger;
      const lines = [moveText(answer), ...cancellationTexts(cancelled, answer)];
      session.show(
        { ...answer, refund_due, other_currencies, unknown_amounts },
        printableLines(lines.join("\n")),
      );
    });
  orders
    .command("note <id> <text...>")
    .description("Add a note that customers do not see")
    .option("--key <text>", "the key of a note that may already be recorded")
    .addHelpText(...example('orders note 0e4b3a51 "Called: wants it before Friday"'))
    .action(async (id, words, { key = randomUUID() }) => {
      const path = withId(paths.admin.notes, orderIdOf(id));
      const body = { text: words.join(" ") };
      await session.perform(
        { path, body, idempotencyKey: key, answer: noteAnswerSchema },
        (answer) => `The note is stored with order ${shortOrderId(answer.id)}.`,
      );
    });
}

function nameOf({ id }: { readonly id: string }): string {
  return `Order ${shortOrderId(id)}`;
}

/** A status that this version does not know may permit the change: the server decides. */
function mayMove({ status }: AdminOrder, to: StaffStatus): boolean {
  return !isOrderStatus(status) || canMove(status, to);
}

/** The call that moves an order, unless its status has changed since it was read. */
function moveCallOf({ id, status }: AdminOrder, change: OrderMove) {
  return {
    path: withId(paths.admin.transitions, id),
    body: { ...change, expected_status: status },
    answer: orderMoveAnswerSchema,
  };
}

function moveText(answer: OrderMoveAnswer): string {
  const { status, changed } = answer;
  return `${nameOf(answer)} ${changed ? `is now ${status}` : `was already ${status}`}.`;
}
