import { randomUUID } from "node:crypto";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { amountFromCents, currency as shopCurrency } from "@keepsats/domain";
import {
  type AdminLedger,
  amountsOf,
  paths,
  refundAnswerSchema,
  type refundRequestSchema,
  refundReversalAnswerSchema,
  withId,
  withRefundId,
} from "@keepsats/protocol";
import type * as z from "zod/mini";
import { example, parseAmount, parseAmountOrZero } from "./arguments.ts";
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

export function addOrderRefund(orders: CommandUnknownOpts, session: Session): void {
  refundCommand(orders)
    .option("--issue <id>", "the payment issue that it is for")
    .description("records a refund that you have made; it sends no money")
    .addHelpText(...example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (id, amount, { key, expectedRefunded, issue: issue_id, ...details }) => {
      const readRefunded = async () => {
        const { ledger, payment_issues } = await readOrder(session.client, id);
        const issue = payment_issues.find(({ id }) => id === issue_id);
        return refundedIn(ledger, details.currency ?? issue?.balance.currency);
      };
      const expected_refunded = expectedRefunded ?? (await readRefunded());
      const path = withId(paths.admin.refunds, orderIdOf(id));
      await recordRefund(session, path, { ...details, amount, expected_refunded, issue_id }, key);
    });
}

export function addIssueRefund(issues: CommandUnknownOpts, session: Session): void {
  refundCommand(issues)
    .description("records a refund that you have made; takes an order's id, too")
    .addHelpText(...example('payment-issues refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (typed, amount, { key, expectedRefunded, ...details }) => {
      const { id, ledger, balance } = await readIssue(session.client, typed, "open");
      const refunded = refundedIn(ledger, details.currency ?? balance.currency);
      const expected_refunded = expectedRefunded ?? refunded;
      const path = withId(paths.admin.issueRefunds, id);
      await recordRefund(session, path, { ...details, amount, expected_refunded }, key);
    });
}

export function addRefundCommands(refunds: CommandUnknownOpts, session: Session): void {
  refunds
    .command("reverse <id> <refund>")
    .description("records that a refund of an order, or of a payment issue, did not arrive")
    .requiredOption("--reason <text>", "why it did not arrive")
    .addHelpText(...example('refunds reverse 0e4b3a51 7c1f09d2 --reason "The account is closed"'))
    .action(async (typed, refund, { reason }) => {
      const { kind, id, ledger } = await readAccount(session.client, typed);
      const { refundReversal, issueRefundReversal } = paths.admin;
      const reversal = kind === "order" ? refundReversal : issueRefundReversal;
      const path = withRefundId(reversal, id, findRefund(ledger, refund));
      await session.perform(
        { path, body: { reason }, answer: refundReversalAnswerSchema },
        ({ ledger }) => `The refund is reversed: ${refundsText(ledger)}.`,
      );
    });
}

function refundedIn(ledger: AdminLedger, currency: string = shopCurrency.code): number {
  const refunded = amountsOf(ledger, "refunded").find((sum) => sum.currency === currency);
  return amountFromCents(refunded?.cents ?? 0);
}

/** Records a refund, unless another one was recorded since the money was read. */
async function recordRefund(
  session: Session,
  path: string,
  body: z.input<typeof refundRequestSchema>,
  key: string = randomUUID(),
): Promise<void> {
  await session
    .perform(
      { path, body, idempotencyKey: key, answer: refundAnswerSchema },
      ({ ledger }) => `The refund is recorded: ${refundsText(ledger)}.`,
    )
    .catch((error: unknown) => {
      if (!(error instanceof CommandFailed) || error.problem?.refundable !== 0) throw error;
      const code = error.problem.currency ?? shopCurrency.code;
      const text = `Nothing can be refunded in ${printable(code)}. For another currency or an unknown amount use "payment-issues refund".`;
      throw new CommandFailed(error.exitCode, text, error.problem);
    });
}

/** The id of the refund that has this id, or one that starts like this. */
function findRefund({ entries }: AdminLedger, prefix: string): string {
  const ids = entries.flatMap(({ kind, refund_id }) =>
    kind === "refunded" && refund_id?.startsWith(prefix) ? [refund_id] : [],
  );
  return onlyMatch(ids, {
    none: `It has no refund with the id ${shortened(prefix)}.`,
    several: "Several refunds match:",
    nameOf: (id) => id,
  });
}
