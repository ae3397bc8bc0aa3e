import { randomUUID } from "node:crypto";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { amountFromCents, currencyLabel, grantKinds, shopCurrency } from "@keepsats/domain";
import {
  type AdminLedger,
  amountIn,
  paths,
  refundAnswerSchema,
  type refundRequestSchema,
  refundReversalAnswerSchema,
  withId,
} from "@keepsats/protocol";
import type * as z from "zod/mini";
import { example, oneOf, parseAmount, parseAmountOrZero } from "./arguments.ts";
import { CommandFailed } from "./errors.ts";
import { onlyMatch, orderIdOf, readAccount, readIssue, readOrder } from "./lookup.ts";
import { refundsText } from "./money.ts";
import { printable, shortened } from "./output.ts";
import type { Session } from "./session.ts";

function refundCommand(parent: CommandUnknownOpts) {
  return parent
    .command("refund <id>")
    .argument("<amount>", "in the loan's currency", parseAmount)
    .requiredOption("--method <text>", "how, such as bank transfer")
    .option("--reference <text>", "such as the number of the transfer")
    .option("--reason <text>", "for staff only")
    .option("--currency <code>", "of the amount, such as EUR")
    .option(
      "--expected-refunded <amount>",
      "refuse if another sum was refunded before",
      parseAmountOrZero,
    )
    .option("--key <text>", "the key of a refund that may already be recorded");
}

export function addOrderRefund(orders: CommandUnknownOpts, session: Session): void {
  refundCommand(orders)
    .option("--issue <id>", "the payment issue that it is for")
    .option(
      "--grant <kind>",
      `refund part of the price: ${grantKinds.join(", ")}`,
      oneOf(grantKinds),
    )
    .description("Record a refund that you have made; this sends no money")
    .addHelpText(...example('orders refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (id, amount, { issue: issue_id, ...details }) => {
      const path = withId(paths.admin.refunds, orderIdOf(id));
      await recordRefund(session, path, { ...details, amount, issue_id }, async () => {
        const { ledger, payment_issues } = await readOrder(session.client, id);
        const issue = payment_issues.find((one) => one.id === issue_id);
        return { ledger, balance: issue?.balance };
      });
    });
}

export function addIssueRefund(issues: CommandUnknownOpts, session: Session): void {
  refundCommand(issues)
    .description("Record a refund that you have made; an order's id works, too")
    .addHelpText(...example('payment-issues refund 0e4b3a51 45 --method "bank transfer"'))
    .action(async (typed, amount, details) => {
      const issue = await readIssue(session.client, typed, "open");
      const path = withId(paths.admin.issueRefunds, issue.id);
      await recordRefund(session, path, { ...details, amount }, async () => issue);
    });
}

export function addRefundCommands(refunds: CommandUnknownOpts, session: Session): void {
  refunds
    .command("reverse <id> <refund>")
    .description("Record that a refund of an order, or of a payment issue, did not arrive")
    .requiredOption("--reason <text>", "why it did not arrive")
    .addHelpText(...example('refunds reverse 0e4b3a51 7c1f09d2 --reason "The account is closed"'))
    .action(async (typed, refund, { reason }) => {
      const { kind, id, ledger } = await readAccount(session.client, typed);
      const { refundReversal, issueRefundReversal } = paths.admin;
      const reversal = kind === "order" ? refundReversal : issueRefundReversal;
      const path = withId(reversal, id, findRefund(ledger, refund));
      await session.perform(
        { path, body: { reason }, answer: refundReversalAnswerSchema },
        ({ ledger }) => `The refund is reversed: ${refundsText(ledger)}.`,
      );
    });
}

/** The journal may spell a code like a word: `EUR` → `Eur`. */
function codeInJournal(ledger: AdminLedger, typed: string | undefined): string | undefined {
  const isTyped = ({ currency }: { readonly currency: string }) =>
    currency.toUpperCase() === typed?.toUpperCase();
  return ledger.other_currencies.find(isTyped)?.currency ?? typed;
}

type RefundOptions = ReturnType<ReturnType<typeof refundCommand>["opts"]>;

/**
 * Records a refund, unless another one was recorded since the money was read.
 *
 * @param read reads what was refunded before, and the currency of a refund that names none
 */
async function recordRefund(
  session: Session,
  path: string,
  {
    key = randomUUID(),
    expectedRefunded: expected_refunded,
    currency,
    ...refund
  }: RefundOptions & Pick<z.input<typeof refundRequestSchema>, "amount" | "grant" | "issue_id">,
  read: () => Promise<{ ledger: AdminLedger; balance: { currency: string } | undefined }>,
): Promise<void> {
  const body = { ...refund, currency, expected_refunded };
  // A repeated refund reads nothing: it needs no other answer than its own.
  if (expected_refunded === undefined || currency !== undefined) {
    const { ledger, balance } = await read();
    body.currency = codeInJournal(ledger, currency);
    const refundedIn = body.currency ?? balance?.currency ?? shopCurrency.code;
    body.expected_refunded ??= amountFromCents(amountIn(ledger, "refunded", refundedIn));
  }
  await session
    .perform(
      { path, body, idempotencyKey: key, answer: refundAnswerSchema },
      ({ ledger }) => `The refund is recorded: ${refundsText(ledger)}.`,
    )
    .catch((error: unknown) => {
      if (!(error instanceof CommandFailed) || error.problem?.refundable !== 0) throw error;
      const currency = error.problem.currency ?? shopCurrency.code;
      const text = `Nothing can be refunded in ${printable(currencyLabel(currency))}. For a paid order use "--grant", for another currency or an unknown amount "payment-issues refund".`;
      throw new CommandFailed(error.exitCode, text, error.problem);
    });
}

/** The id of the refund that has this id, or one that starts like this. */
function findRefund({ entries }: AdminLedger, prefix: string): string {
  const ids = entries.flatMap(({ kind, refund_id }) =>
    kind === "refunded" && refund_id?.startsWith(prefix) ? [refund_id] : [],
  );
  return onlyMatch(ids, {
    none: `There is no refund with the id ${shortened(prefix)}.`,
    several: "Several refunds match:",
    nameOf: (id) => id,
  });
}
