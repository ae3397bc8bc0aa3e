import {
  type AdminOrder,
  adminOrderSchema,
  isOrderId,
  type PaymentIssueDetail,
  paths,
  paymentIssueDetailSchema,
  withId,
} from "@keepsats/protocol";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./errors.ts";
import { printable } from "./output.ts";

/** An order id without the `#` with which the screens show it. */
export function orderIdOf(typed: string): string {
  return typed.replace(/^#/, "");
}

/** @param typed the id of an order, its beginning, or the order number */
export function readOrder(client: Client, typed: string): Promise<AdminOrder> {
  const path = withId(paths.admin.order, orderIdOf(typed));
  return client.call({ path, answer: adminOrderSchema });
}

/**
 * Reads the money of an order with its payment issues, or the money of one payment issue.
 *
 * @param typed the id of a payment issue, or an order as {@link readOrder} takes it
 */
export async function readAccount(client: Client, typed: string) {
  // Payment issues and orders have the same form of id.
  if (isOrderId(typed.toLowerCase())) {
    try {
      const path = withId(paths.admin.paymentIssue, typed);
      const issue = await client.call({ path, answer: paymentIssueDetailSchema });
      return { kind: "issue" as const, id: issue.id, ledger: issue.ledger, issues: [issue] };
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.problem?.code !== "not_found") throw error;
    }
  }
  const { id, ledger, payment_issues } = await readOrder(client, typed);
  const issues = payment_issues.map((issue) => ({ ...issue, ledger }));
  return { kind: "order" as const, id, ledger, issues };
}

/** Reads a payment issue by its id, or by its order if the order has only one in that state. */
export async function readIssue(
  client: Client,
  typed: string,
  state: "open" | "resolved",
): Promise<PaymentIssueDetail> {
  const { kind, issues } = await readAccount(client, typed);
  const matches =
    kind === "issue"
      ? issues
      : issues.filter(({ resolution }) => (resolution === null) === (state === "open"));
  return onlyMatch(matches, {
    none: `This order has no ${state} payment issue.`,
    several: `This order has ${matches.length} ${state} payment issues. Name one by its id:`,
    nameOf: (issue) => `${issue.id}  ${issue.kind}`,
  });
}

/** @throws {CommandFailed} with `none` or `several`, unless there is one match */
export function onlyMatch<Match>(
  matches: readonly Match[],
  texts: { none: string; several: string; nameOf: (match: Match) => string },
): Match {
  const [match, ...more] = matches;
  if (match === undefined) throw new CommandFailed(exitCodes.notFound, texts.none);
  if (more.length === 0) return match;
  const names = matches.map((match) => `  ${printable(texts.nameOf(match))}`);
  throw new CommandFailed(exitCodes.notFound, [texts.several, ...names].join("\n"));
}
