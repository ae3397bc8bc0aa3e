import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { amountFromCents, type Cents, currency as shopCurrency } from "@keepsats/domain";
import {
  amountsOf,
  amountsText,
  type MerchantLedger,
  paths,
  refundAnswerSchema,
  refundReversalAnswerSchema,
  withRefundId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { readAccount } from "./account.ts";
import { example, parseAmount, parseSum } from "./arguments.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printable, shortened } from "./output.ts";
import { recordOnce } from "./record-once.ts";
import type { Session } from "./session.ts";

/** Adds the command that records a refund of the money of an order or of a payment issue. */
export function addRefundCommand(parent: CommandUnknownOpts) {
  return parent
    .command("refund <id>")
    .argument("<amount>", "in the currency of the money", parseAmount)
    .requiredOption("--method <text>", "how, such as bank transfer")
    .option("--reference <text>", "such as the number of the transfer")
    .option("--reason <text>", "for staff only")
    .option("--currency <code>", "of the amount, as the journal has it")
    .option("--expected-refunded <amount>", "refuse if another sum was refunded before", parseSum)
    .option("--key <text>", "the key of a refund that may be recorded already");
}

export type RefundOptions = ReturnType<ReturnType<typeof addRefundCommand>["opts"]>;

interface Refund {
  readonly path: string;
  readonly amount: number;
  readonly options: RefundOptions;
  /** The payment issue of an order that the refund is for. */
  readonly issueId?: string | undefined;
  /** The sum that was refunded before, in hundredths of its currency, if it was read. */
  readonly refunded?: Cents | undefined;
}

/** Records a refund if no other was recorded since the money was read. */
export async function recordRefund(
  { client, show }: Session,
  { path, amount, options, issueId: issue_id, refunded }: Refund,
): Promise<void> {
  const { method, reference, reason, currency, key, expectedRefunded } = options;
  const read = refunded === undefined ? undefined : amountFromCents(refunded);
  const expected_refunded = expectedRefunded ?? read;
  const how = { method, reference, reason, issue_id };
  const answer = await recordOnce(client, key, {
    path,
    body: { amount, currency, expected_refunded, ...how },
    answer: refundAnswerSchema,
  }).catch((error: unknown) => {
    if (!(error instanceof CommandFailed) || error.problem?.refundable !== 0) throw error;
    const code = error.problem.currency ?? shopCurrency.code;
    const text = `Nothing can be refunded in ${printable(code)}. For another currency or an unknown amount use "payment-issues refund".`;
    throw new CommandFailed(error.exitCode, text, error.problem);
  });
  show(
    z.encode(refundAnswerSchema, answer),
    `The refund is recorded: ${refundsText(answer.ledger)}.`,
  );
}

/** The sum that was refunded in a currency, in hundredths of it. */
export function refundedIn(ledger: MerchantLedger, currency: string = shopCurrency.code): Cents {
  return amountsOf(ledger, "refunded").find((one) => one.currency === currency)?.cents ?? 0;
}

/** Such as `$20.00 refunded, $25.00 is still due`. */
function refundsText(ledger: MerchantLedger): string {
  const refunded = amountsText(amountsOf(ledger, "refunded")) || "nothing";
  const due = amountsText(amountsOf(ledger, "refund_due"), ledger.unknown_amounts);
  const refundable = amountsText(amountsOf(ledger, "refundable"));
  if (due !== "") return `${refunded} refunded, ${due} is still due`;
  if (refundable !== "") return `${refunded} refunded, ${refundable} can be refunded`;
  return `${refunded} refunded, nothing more is due`;
}

/** Adds the command that reverses a refund. */
export function addRefundCommands(refunds: CommandUnknownOpts, session: Session): void {
  refunds
    .command("reverse <id> <refund>")
    .description("records that a refund of an order, or of a payment issue, did not arrive")
    .requiredOption("--reason <text>", "why it did not arrive")
    .addHelpText(
      "after",
      example('refunds reverse 0e4b3a51 7c1f09d2 --reason "The account is closed"'),
    )
    .action((id, refund, { reason }) => reverseRefund(session, { id, refund, reason }));
}

async function reverseRefund(
  { client, show }: Session,
  { id, refund, reason }: { readonly id: string; readonly refund: string; readonly reason: string },
): Promise<void> {
  const { kind, id: accountId, ledger } = await readAccount(client, id);
  const path =
    kind === "order" ? paths.merchant.refundReversal : paths.merchant.issueRefundReversal;
  const answer = await client.call({
    method: "POST",
    path: withRefundId(path, accountId, refundNamed(ledger, refund)),
    body: { reason },
    answer: refundReversalAnswerSchema,
  });
  show(
    z.encode(refundReversalAnswerSchema, answer),
    `The refund is reversed: ${refundsText(answer.ledger)}.`,
  );
}

/** The id of the refund that begins like this. @throws {CommandFailed} if none does, or several do */
function refundNamed({ entries }: MerchantLedger, typed: string): string {
  const ids = entries.flatMap(({ kind, refund_id }) =>
    kind === "refunded" && refund_id?.startsWith(typed) ? [refund_id] : [],
  );
  const [id, ...more] = ids;
  if (id === undefined)
    throw new CommandFailed(exitCodes.notFound, `No refund of it is named ${shortened(typed)}.`);
  if (more.length === 0) return id;
  const names = ids.map((one) => `  ${printable(one)}`);
  throw new CommandFailed(exitCodes.notFound, ["Several refunds match:", ...names].join("\n"));
}
