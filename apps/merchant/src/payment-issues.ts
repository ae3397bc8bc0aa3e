import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { shortOrderId } from "@keepsats/domain";
import {
  type IssueKind,
  issueKinds,
  type PaymentIssue,
  paths,
  paymentIssueDetailSchema,
  paymentIssuesSchema,
  type Resolution,
  resolutions,
  resolutionText,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { readAccount, readIssue } from "./account.ts";
import { example, oneOf } from "./arguments.ts";
import { describeIssue, nextSteps, refundCommand } from "./describe-issue.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { amountText, describeLedger } from "./ledger.ts";
import { orderIdOf } from "./order.ts";
import { type Column, formatTime, printable, table } from "./output.ts";
import { pagesOf } from "./pages.ts";
import { addRefundCommand, type RefundOptions, recordRefund, refundedIn } from "./refunds.ts";
import type { Session } from "./session.ts";

const columns: readonly Column<PaymentIssue>[] = [
  { head: "OPENED (UTC)", cell: ({ opened_at }) => formatTime(opened_at) },
  { head: "KIND", most: 20, cell: ({ kind }) => kind },
  { head: "ORDER", cell: ({ order_id }) => (order_id === null ? "" : shortOrderId(order_id)) },
  {
    head: "AMOUNT",
    right: true,
    cell: ({ open_amount: open, balance }) =>
      open === 0 ? "" : amountText(open, balance.currency),
  },
  { head: "LOAN", most: 40, cell: ({ loan_id }) => loan_id },
];

export function addIssueCommands(issues: CommandUnknownOpts, session: Session): void {
  issues
    .command("list")
    .description("payments that need attention, refunds due included")
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
  addRefundCommand(issues)
    .description("records a refund that you have made; takes an order's id, too")
    .addHelpText("after", example('payment-issues refund 0e4b3a51 45 --method "bank transfer"'))
    .action((id, amount, options) => refundIssue(session, id, amount, options));
  issues
    .command("resolve <id>")
    .description("stores how it was resolved; takes an order's id, too")
    .requiredOption("--as <resolution>", resolutions.join(", "), oneOf(resolutions))
    .requiredOption("--note <text>", "the reason, or what was done")
    .addHelpText("after", example('payment-issues resolve 0e4b3a51 --as dismissed --note "agreed"'))
    .action((id, options) => resolveIssue(session, id, options));
  issues
    .command("reopen <id>")
    .description("undoes its resolution; takes an order's id, too")
    .requiredOption("--note <text>", "why the resolution was wrong")
    .addHelpText("after", example('payment-issues reopen 0e4b3a51 --note "wrong order"'))
    .action((id, options) => reopenIssue(session, id, options));
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

async function showIssues({ client, show, width }: Session, typed: string): Promise<void> {
  const { kind, issues } = await readAccount(client, typed);
  if (issues.length === 0)
    throw new CommandFailed(exitCodes.notFound, "This order has no payment issue.");
  const texts = issues.map((one) => {
    const isOpen = one.resolution === null;
    const alike = issues.filter(({ resolution }) => (resolution === null) === isOpen);
    // The id of an order names a payment issue only where it is the only one in its state.
    const isNamedByOrder = kind === "order" && alike.length === 1;
    const name = printable(isNamedByOrder ? orderIdOf(typed) : one.id);
    // Money with an order is shown with that.
    const money = one.order_id === null ? describeLedger(one.ledger, width) : "";
    const texts = [describeIssue(one, width), money, nextSteps(one, name).join("\n")];
    return texts.filter((text) => text !== "").join("\n\n");
  });
  show(
    issues.map((one) => z.encode(paymentIssueDetailSchema, one)),
    texts.join("\n\n"),
  );
}

async function refundIssue(
  session: Session,
  typed: string,
  amount: number,
  options: RefundOptions,
): Promise<void> {
  const { id, ledger, balance } = await readIssue(session.client, typed, "open");
  const refunded = refundedIn(ledger, options.currency ?? balance.currency);
  const path = withId(paths.merchant.issueRefunds, id);
  return recordRefund(session, { path, amount, options, refunded });
}

async function resolveIssue(
  { client, show }: Session,
  named: string,
  { as, note }: { readonly as: Resolution; readonly note: string },
): Promise<void> {
  const { id } = await readIssue(client, named, "open");
  const path = withId(paths.merchant.resolution, id);
  const resolved = await client
    .call({ method: "POST", path, body: { kind: as, note }, answer: paymentIssueDetailSchema })
    .catch((error: unknown) => {
      const due = error instanceof CommandFailed ? error.problem?.refund_due : undefined;
      if (!(error instanceof CommandFailed) || due === undefined) throw error;
      const next = `\n  ${refundCommand(printable(orderIdOf(named)), due)}`;
      throw new CommandFailed(error.exitCode, `${error.message}${next}`);
    });
  const text = `The payment issue ${resolved.kind} is resolved: ${as}.`;
  show(z.encode(paymentIssueDetailSchema, resolved), text);
}

async function reopenIssue(
  { client, show }: Session,
  named: string,
  { note }: { readonly note: string },
): Promise<void> {
  const { id } = await readIssue(client, named, "resolved");
  const path = withId(paths.merchant.reopening, id);
  const answer = paymentIssueDetailSchema;
  const opened = await client.call({ method: "POST", path, body: { note }, answer });
  show(z.encode(answer, opened), `The payment issue ${opened.kind} is open again.`);
}
