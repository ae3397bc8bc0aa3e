import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  awaitsPayment,
  type Cents,
  decimalFromCents,
  formatMoney,
  isOrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import {
  adviceText,
  happenedText,
  type IssueKind,
  issueKinds,
  type PaymentIssue,
  paths,
  paymentIssueSchema,
  paymentIssuesSchema,
  resolutions,
  resolutionText,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { orderIdOf, readOrder } from "./order.ts";
import { type Column, formatTime, labelled, printable, table } from "./output.ts";
import { pagesOf } from "./pages.ts";
import type { Session } from "./session.ts";

const INDENT = 10;

const columns: readonly Column<PaymentIssue>[] = [
  { head: "SEEN (UTC)", cell: ({ seen_at }) => formatTime(seen_at) },
  { head: "KIND", most: 20, cell: ({ kind }) => kind },
  { head: "ORDER", cell: ({ order_id }) => (order_id === null ? "" : shortOrderId(order_id)) },
  {
    head: "AMOUNT",
    right: true,
    cell: ({ amount }) => (amount === null ? "" : formatMoney(amount)),
  },
  { head: "LOAN", most: 40, cell: ({ loan_id }) => loan_id },
];

export function addIssueCommands(issues: CommandUnknownOpts, session: Session): void {
  issues
    .command("list")
    .description("payments that need you, and refunds due")
    .option("--kind <kind>", issueKinds.join(", "), oneOf(issueKinds))
    .option("--resolved", "those that are resolved")
    .option("--all", "the open and the resolved ones")
    .addHelpText("after", example("payment-issues list --kind paid-after-cancel"))
    .action((options) => listIssues(session, options));
  issues
    .command("show <id>")
    .description("one payment issue, or those of an order, with the commands that are possible")
    .addHelpText("after", example("payment-issues show 0e4b3a51"))
    .action((id) => showIssues(session, id));
  issues
    .command("resolve <id>")
    .description("stores how it was resolved; takes an order's id, too")
    .requiredOption("--as <resolution>", resolutions.join(", "), oneOf(resolutions))
    .requiredOption("--note <text>", "the reason, or what was done")
    .addHelpText("after", example('payment-issues resolve 0e4b3a51 --as dismissed --note "agreed"'))
    .action((id, options) => resolveIssue(session, id, options));
}

interface ListOptions {
  readonly kind?: IssueKind;
  readonly resolved?: true;
  readonly all?: true;
}

async function listIssues(
  { client, show, width }: Session,
  { kind, resolved, all }: ListOptions,
): Promise<void> {
  const path = paths.merchant.paymentIssues;
  const state = all ? undefined : resolved ? "resolved" : "open";
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { state, kind, cursor }, answer: paymentIssuesSchema }),
  );
  const issues: PaymentIssue[] = [];
  for await (const page of pages) issues.push(...page.payment_issues);
  // An order's id names its payment issue, so only one without an order needs its own.
  const notesOf = ({ id, detail, resolution, order_id }: PaymentIssue) => [
    detail,
    ...(resolution === null ? [] : [resolutionText(resolution)]),
    ...(order_id === null ? [id] : []),
  ];
  show(
    z.encode(paymentIssuesSchema.shape.payment_issues, issues),
    issues.length === 0
      ? `${["No", state, kind, "payment issues"].filter(Boolean).join(" ")}.`
      : table(columns, issues, width, notesOf),
  );
}

async function showIssues({ client, show, width }: Session, named: string): Promise<void> {
  const issues = await issuesNamed(client, named);
  const open = issues.filter(({ resolution }) => resolution === null);
  const texts = issues.map((one) => {
    // The id of an order names a payment issue only where it has one that is open.
    const name = isOrderPrefix(named) && open.length === 1 ? orderIdOf(named) : printable(one.id);
    const next = one.resolution === null ? ["", ...nextSteps(one, name)] : [];
    return [describe(one, width), ...next].join("\n");
  });
  show(
    issues.map((one) => z.encode(paymentIssueSchema, one)),
    texts.join("\n\n"),
  );
}

function describe(issue: PaymentIssue, width: number): string {
  const { id, kind, loan_id, order_id, order_status, detail, amount, seen_at, resolution } = issue;
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  return [
    // Not wrapped, so that it can be copied.
    `ID        ${printable(id)}`,
    field("Kind", kind),
    field("Order", order_id === null ? "none" : `${order_id}, ${order_status ?? "unknown"}`),
    field("Loan", loan_id),
    field("Amount", amount === null ? "none, or unknown" : formatMoney(amount)),
    field("Seen", `${formatTime(seen_at)} UTC`),
    field("Detail", detail),
    field("Resolved", resolution === null ? "no" : resolutionText(resolution)),
  ].join("\n");
}

/** A command that records a refund, to be copied. */
function refundCommand(orderId: string, cents: Cents): string {
  return `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
}

/**
 * The advice about an open payment issue, with the commands that are possible. `named` names the
 * payment issue in them.
 */
export function nextSteps(issue: PaymentIssue, named: string): string[] {
  const { kind, order_id, order_status, amount, refund_due = amount } = issue;
  const resolve = (as: string, note: string) =>
    `payment-issues resolve ${named} --as ${as} --note "${note}"`;
  const isAcceptable =
    kind === "underpaid" &&
    order_status !== null &&
    isOrderStatus(order_status) &&
    awaitsPayment(order_status);
  // Without an order of the shop there is nothing to record a refund for.
  const hasRefund = order_id !== null && order_status !== null && refund_due !== 0;
  const commands = [resolve("dismissed", "asked the provider")];
  if (amount !== null && isAcceptable) commands.unshift(resolve("accepted", "agreed on the phone"));
  if (amount !== null)
    commands.unshift(
      hasRefund
        ? refundCommand(order_id, refund_due ?? amount)
        : resolve("refunded", "transferred on Monday"),
    );
  return [happenedText(issue), adviceText(issue), ...commands.map((one) => `  ${one}`)];
}

async function resolveIssue(
  { client, show }: Session,
  named: string,
  { as, note }: { readonly as: string; readonly note: string },
): Promise<void> {
  const id = await openIssue(client, named);
  const path = withId(paths.merchant.resolution, id);
  const resolved = await client
    .call({ method: "POST", path, body: { kind: as, note }, answer: paymentIssueSchema })
    .catch((error: unknown) => {
      const due = error instanceof CommandFailed ? error.problem?.refund_due : undefined;
      if (!(error instanceof CommandFailed) || due === undefined) throw error;
      const next = isOrderPrefix(named) ? `\n  ${refundCommand(orderIdOf(named), due)}` : "";
      throw new CommandFailed(error.exitCode, `${error.message}${next}`);
    });
  const text = `The payment issue ${resolved.kind} is resolved: ${as}.`;
  show(z.encode(paymentIssueSchema, resolved), text);
}

/**
 * Whether a text is the id of an order or the beginning of one. The ids of payment issues begin
 * with `Wy`.
 */
function isOrderPrefix(text: string): boolean {
  return /^#?[0-9a-f]{8}[0-9a-f-]*$/i.test(text);
}

/** The payment issues of an order, or the one with an id. @throws {CommandFailed} if there is none */
async function issuesNamed(client: Client, named: string): Promise<PaymentIssue[]> {
  if (!isOrderPrefix(named)) {
    const path = withId(paths.merchant.paymentIssue, named);
    return [await client.call({ path, answer: paymentIssueSchema })];
  }
  const { payment_issues: issues } = await readOrder(client, named);
  if (issues.length > 0) return issues;
  throw new CommandFailed(exitCodes.notFound, "This order has no payment issue.");
}

/** @throws {CommandFailed} if an order is named that has no open payment issue, or several */
async function openIssue(client: Client, named: string): Promise<string> {
  if (!isOrderPrefix(named)) return named;
  const { payment_issues: issues } = await readOrder(client, named);
  const open = issues.filter(({ resolution }) => resolution === null);
  if (open.length === 1 && open[0] !== undefined) return open[0].id;
  if (open.length === 0)
    throw new CommandFailed(exitCodes.notFound, "This order has no open payment issue.");
  const names = open.map(({ id, kind }) => printable(`  ${id}  ${kind}`));
  const message = `This order has ${open.length} open payment issues. Name one by its ID:`;
  throw new CommandFailed(exitCodes.notFound, [message, ...names].join("\n"));
}
