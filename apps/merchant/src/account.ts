import {
  type MerchantLedger,
  type PaymentIssueDetail,
  paths,
  paymentIssueDetailSchema,
  withId,
} from "@keepsats/protocol";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { readOrder } from "./order.ts";
import { printable } from "./output.ts";

/** An order, or one payment issue, with its money. */
export interface Account {
  readonly kind: "order" | "issue";
  readonly id: string;
  readonly ledger: MerchantLedger;
  /** Those of the order, or the one. */
  readonly issues: readonly PaymentIssueDetail[];
}

/** Reads what the id of a payment issue, or that of an order or its beginning, names. */
export async function readAccount(client: Client, typed: string): Promise<Account> {
  const issue = await findIssue(client, typed);
  if (issue !== undefined)
    return { kind: "issue", id: issue.id, ledger: issue.ledger, issues: [issue] };
  const { id, ledger, payment_issues } = await readOrder(client, typed);
  return { kind: "order", id, ledger, issues: payment_issues.map((one) => ({ ...one, ledger })) };
}

/** The ids of orders have the same form. */
const wholeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function findIssue(client: Client, id: string): Promise<PaymentIssueDetail | undefined> {
  if (!wholeId.test(id)) return undefined;
  const path = withId(paths.merchant.paymentIssue, id);
  try {
    return await client.call({ path, answer: paymentIssueDetailSchema });
  } catch (error) {
    if (error instanceof CommandFailed && error.problem?.code === "not_found") return undefined;
    throw error;
  }
}

/**
 * Reads one payment issue by its id, or by that of its order.
 *
 * @param state which of the order's payment issues are meant
 * @throws {CommandFailed} if the order has no such payment issue, or several
 */
export async function readIssue(
  client: Client,
  typed: string,
  state: "open" | "resolved",
): Promise<PaymentIssueDetail> {
  const { kind, issues } = await readAccount(client, typed);
  const meant =
    kind === "issue"
      ? issues
      : issues.filter((one) => (one.resolution === null) === (state === "open"));
  const [issue, ...more] = meant;
  if (issue === undefined)
    throw new CommandFailed(exitCodes.notFound, `This order has no ${state} payment issue.`);
  if (more.length === 0) return issue;
  const names = meant.map((one) => printable(`  ${one.id}  ${one.kind}`));
  const message = `This order has ${meant.length} ${state} payment issues. Name one by its ID:`;
  throw new CommandFailed(exitCodes.notFound, [message, ...names].join("\n"));
}
