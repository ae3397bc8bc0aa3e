import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { amountFromCents, currency as shopCurrency } from "@keepsats/domain";
import {
  type AdminLedger,
  amountsOf,
  paths,
  refundAnswerSchema,
  refundReversalAnswerSchema,
  withId,
  withRefundId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, parseAmount, parseAmountOrZero } from "./arguments.ts";
import { recordOnce } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import { onlyMatch, orderIdOf, readAccount, readIssue, readOrder } from "./lookup.ts";
import { refundsText } from "./money.ts";
import { printable, shortened } from "./output.ts";
import type { Session } from "./session.ts";

function refundCommand(parent: CommandUnknownOpts) {
  return parent
    .command("refund <id>")
    .argument("<amount>", "in the currency of the money", parseAmount)
    .requiredOption("--method <text>", "how, such as bank transfer")
    .option("--reference <text>", "such as the number of the transfer")
    .option("--reason <text>", "for staff only")
    .option("--currency <code>", "of the amount, as the journal has it")
    .option(
      "--expected-refunded <amount>",
      "refuse if another sum was refunded before",
      parseAmountOrZero,
    )
    .option("--key <text>", "the key of a refund that may be recorded already");
}

interface Options extends ReturnType<ReturnType<typeof refundCommand>["opts"]> {
  readonly issue?: string;
}

export function addOrderRefund(orders: CommandUnknownOpts, session: Session): void {
  refundCommand(orders)
    .option("--issue <id>", "the payment issue that it is for")
    .description("records a refund that you have made (the shop pays none)")
    .addHelpText("after", example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (id, amount, options) => {
      const path = withId(paths.admin.refunds, orderIdOf(id));
      if (options.expectedRefunded !== undefined)
        return recordRefund(session, path, amount, options);
      const { ledger, payment_issues } = await readOrder(session.client, id);
      const issue = payment_issues.find((one) => one.id === options.issue);
      const expectedRefunded = refundedIn(ledger, options.currency ?? issue?.balance.currency);
      return recordRefund(session, path, amount, { ...options, expectedRefunded });
    });
}

export function addIssueRefund(issues: CommandUnknownOpts, session: Session): void {
  refundCommand(issues)
    .description("records a refund that you have made; takes an order's id, too")
    .addHelpText("after", example('payment-issues refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (typed, amount, options) => {
      const { id, ledger, balance } = await readIssue(session.client, typed, "open");
      const refunded = refundedIn(ledger, options.currency ?? balance.currency);
      const expectedRefunded = options.expectedRefunded ?? refunded;
      const path = withId(paths.admin.issueRefunds, id);
      return recordRefund(session, path, amount, { ...options, expectedRefunded });
    });
}

export function addRefundCommands(refunds: CommandUnknownOpts, session: Session): void {
  refunds
    .command("reverse <id> <refund>")
    .description("records that a refund of an order, or of a payment issue, did not arrive")
    .requiredOption("--reason <text>", "why it did not arrive")
    .addHelpText(
      "after",
      example('refunds reverse 0e4b3a51 7c1f09d2 --reason "The account is closed"'),
    )
    .action(async (typed, refund, { reason }) => {
      const { kind, id, ledger } = await readAccount(session.client, typed);
      const path = withRefundId(
        kind === "order" ? paths.admin.refundReversal : paths.admin.issueRefundReversal,
        id,
        findRefund(ledger, refund),
      );
      await session.perform(
        { method: "POST", path, body: { reason }, answer: refundReversalAnswerSchema },
        ({ ledger }) => `The refund is reversed: ${refundsText(ledger)}.`,
      );
    });
}

function refundedIn(ledger: AdminLedger, currency: string = shopCurrency.code): number {
  const refunded = amountsOf(ledger, "refunded").find((one) => one.currency === currency);
  return amountFromCents(refunded?.cents ?? 0);
}

/** Records a refund, unless another one was recorded since the money was read. */
async function recordRefund(
  session: Session,
  path: string,
  amount: number,
  { key, expectedRefunded: expected_refunded, issue: issue_id, ...details }: Options,
): Promise<void> {
  const answer = await recordOnce(session.client, key, {
    path,
    body: { amount, expected_refunded, issue_id, ...details },
    answer: refundAnswerSchema,
  }).catch((error: unknown) => {
    if (!(error instanceof CommandFailed) || error.problem?.refundable !== 0) throw error;
    const code = error.problem.currency ?? shopCurrency.code;
    const text = `Nothing can be refunded in ${printable(code)}. For another currency or an unknown amount use "payment-issues refund".`;
    throw new CommandFailed(error.exitCode, text, error.problem);
  });
  const text = `The refund is recorded: ${refundsText(answer.ledger)}.`;
  session.show(z.encode(refundAnswerSchema, answer), text);
}

/** The id of the refund that has this id, or one that starts like this. */
function findRefund({ entries }: AdminLedger, prefix: string): string {
  const ids = entries.flatMap(({ kind, refund_id }) =>
    kind === "refunded" && refund_id?.startsWith(prefix) ? [refund_id] : [],
  );
  return onlyMatch(ids, {
    none: `No refund of it is named ${shortened(prefix)}.`,
    several: "Several refunds match:",
    nameOf: (id) => id,
  });
}
