import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Cents, decimalFromCents, shortOrderId } from "@keepsats/domain";
import {
  adviceText,
  happenedText,
  type IssueAction,
  issueActions,
  issueKinds,
  type PaymentIssue,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  resolutionByAction,
  resolutions,
  resolutionText,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import { pagesOf } from "./client.ts";
import { CommandFailed, exitCodes } from "./errors.ts";
import { orderIdOf, readAccount, readIssue } from "./lookup.ts";
import { amountText, journalTable, sumsText } from "./money.ts";
import { type Column, formatTime, labelled, paragraphs, printable, table } from "./output.ts";
import { addIssueRefund } from "./refunds.ts";
import type { Session } from "./session.ts";

export function addIssueCommands(issues: CommandUnknownOpts, session: Session): void {
  issues
    .command("list")
    .description("List payments that need attention, including refunds due")
    .option("--kind <kind>", issueKinds.join(", "), oneOf(issueKinds))
    .option("--resolved", "only the resolved ones")
    .option("--all", "open and resolved ones")
    .addHelpText(...example("payment-issues list --kind paid-after-cancel"))
    .action(async ({ kind, resolved, all }) => {
      const path = paths.admin.paymentIssues;
      const state = all ? undefined : resolved ? "resolved" : "open";
      const pages = pagesOf((cursor) =>
        session.client.call({ path, query: { state, kind, cursor }, answer: paymentIssuesSchema }),
      );
      const found: PaymentIssue[] = [];
      for await (const page of pages) found.push(...page.payment_issues);
      const none = `${["No", state, kind, "payment issues"].filter(Boolean).join(" ")}.`;
      const text = table(columns, found, session.width, ({ id, detail, resolution, order_id }) => [
        detail,
        resolution && resolutionText(resolution),
        // An order's id names its payment issue, so only one without an order needs its own.
        order_id === null ? id : null,
      ]);
      session.show(z.encode(paymentIssuesSchema.shape.payment_issues, found), text || none);
    });
  issues
    .command("show <id>")
    .description(
      "Show one payment issue, or those of an order, with the commands that are possible",
    )
    .addHelpText(...example("payment-issues show 0e4b3a51"))
    .action((id) => showIssues(session, id));
  addIssueRefund(issues, session);
  issues
    .command("resolve <id>")
    .description("Resolve a payment issue; an order's id works, too")
    .requiredOption("--as <resolution>", resolutions.join(", "), oneOf(resolutions))
    .requiredOption("--note <text>", "the reason, or what was done")
    .addHelpText(...example('payment-issues resolve 0e4b3a51 --as dismissed --note "agreed"'))
    .action(async (typed, { as, note }) => {
      const { id } = await readIssue(session.client, typed, "open");
      const path = withId(paths.admin.resolution, id);
      await session
        .perform(
          { path, body: { kind: as, note }, answer: paymentIssueDetailSchema },
          ({ kind }) => `The payment issue ${kind} is resolved: ${as}.`,
        )
        .catch((error: unknown) => {
          if (!(error instanceof CommandFailed) || error.problem?.refund_due === undefined)
            throw error;
          const next = refundCommand(printable(orderIdOf(typed)), error.problem.refund_due);
          throw new CommandFailed(error.exitCode, `${error.message}\n  ${next}`);
        });
    });
  issues
    .command("reopen <id>")
    .description("Reopen a payment issue; an order's id works, too")
    .requiredOption("--note <text>", "why the resolution was wrong")
    .addHelpText(...example('payment-issues reopen 0e4b3a51 --note "wrong order"'))
    .action(async (typed, { note }) => {
      const { id } = await readIssue(session.client, typed, "resolved");
      const path = withId(paths.admin.reopening, id);
      await session.perform(
        { path, body: { note }, answer: paymentIssueDetailSchema },
        ({ kind }) => `The payment issue ${kind} is open again.`,
      );
    });
}

const columns: readonly Column<PaymentIssue>[] = [
  { head: "OPENED (UTC)", cell: ({ opened_at }) => formatTime(opened_at) },
  { head: "KIND", maxWidth: 20, cell: ({ kind }) => kind },
  { head: "ORDER", cell: ({ order_id }) => (order_id === null ? "" : shortOrderId(order_id)) },
  {
    head: "AMOUNT",
    right: true,
    cell: ({ open_amount: open, balance }) =>
      open === 0 ? "" : amountText(open, balance.currency),
  },
  { head: "LOAN", maxWidth: 40, cell: ({ loan_id }) => loan_id },
];

async function showIssues(session: Session, typed: string): Promise<void> {
  const { width } = session;
  const { kind, issues } = await readAccount(session.client, typed);
  if (issues.length === 0)
    throw new CommandFailed(exitCodes.notFound, "This order has no payment issue.");
  const texts = issues.map((issue) => {
    const isOpen = issue.resolution === null;
    const alike = issues.filter(({ resolution }) => (resolution === null) === isOpen);
    // The id of an order names a payment issue only where it is the only one in its state.
    const isNamedByOrder = kind === "order" && alike.length === 1;
    const name = printable(isNamedByOrder ? orderIdOf(typed) : issue.id);
    const next = nextSteps(issue, name).join("\n");
    // "orders show" shows the money of an order.
    if (issue.order_id !== null) return paragraphs(describeIssue(issue, width), next);
    const sums = labelled("", sumsText(issue.ledger), { indent: 0, width });
    const journal = journalTable(issue.ledger.entries, width);
    return paragraphs(describeIssue(issue, width), sums, journal, next);
  });
  session.show(
    issues.map((issue) => z.encode(paymentIssueDetailSchema, issue)),
    texts.join("\n\n"),
  );
}

export function describeIssue(issue: PaymentIssue, width: number): string {
  const { id, kind, loan_id, order_id, order_number, order_status, detail, opened_at, resolution } =
    issue;
  const amounts = {
    "to decide": issue.open_amount,
    refunded: issue.refunded_amount,
    missing: issue.balance.missing,
  };
  const money = Object.entries(amounts)
    .filter(([, cents]) => cents !== 0)
    .map(([label, cents]) => `${label} ${amountText(cents, issue.balance.currency)}`);
  const field = (label: string, text: string) => labelled(label, text, { indent: 10, width });
  return [
    // Not wrapped, so that it can be copied.
    `ID        ${printable(id)}`,
    field("Kind", kind),
    field(
      "Order",
      order_id === null
        ? "none"
        : [order_number, order_id, order_status ?? "unknown"].filter(Boolean).join(", "),
    ),
    field("Loan", loan_id),
    field("Money", money.join(", ") || "none"),
    field("Opened", `${formatTime(opened_at)} UTC`),
    field("Detail", detail),
    field("Resolved", resolution === null ? "no" : resolutionText(resolution)),
  ].join("\n");
}

/**
 * The advice about a payment issue, with the commands that are possible.
 *
 * @param named names the payment issue in the commands
 */
export function nextSteps(issue: PaymentIssue, named: string): string[] {
  const commands = issueActions(issue).map((action) => `  ${commandFor(action, issue, named)}`);
  return issue.resolution === null
    ? [happenedText(issue), adviceText(issue), ...commands]
    : commands;
}

const exampleNotes: Readonly<Record<Exclude<IssueAction, "refund">, string>> = {
  accept: "agreed on the phone",
  keep: "agreed on the phone",
  "write-off": "nobody claims it",
  resolve: "transferred on Monday",
  dismiss: "asked the provider",
  reopen: "it was a mistake",
};

function commandFor(action: IssueAction, { open_amount }: PaymentIssue, named: string): string {
  if (action === "refund") return refundCommand(named, open_amount);
  const note = `--note "${exampleNotes[action]}"`;
  if (action === "reopen") return `payment-issues reopen ${named} ${note}`;
  return `payment-issues resolve ${named} --as ${resolutionByAction[action]} ${note}`;
}

function refundCommand(named: string, cents: Cents | null): string {
  const amount = cents === null ? "AMOUNT" : decimalFromCents(cents);
  return `payment-issues refund ${named} ${amount} --method "bank transfer"`;
}
