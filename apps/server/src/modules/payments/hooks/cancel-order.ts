import type { Platform } from "../../../platform/platform.ts";
import type { CancellationOutcome, Orders, PaymentHooks } from "../../orders/index.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { readOrderAccount } from "../journal/journal-repository.ts";
import { findPresentedLoans } from "../loans/loan-queue.ts";
import { cancellationOf } from "../rules.ts";
import { type AskAboutLoans, findUnclearLoans } from "./ask-about-loans.ts";

export type CancellationDependencies = Pick<Platform, "database"> &
  Pick<Orders, "changeStatuses"> & {
    readonly askAboutLoans: AskAboutLoans;
    readonly issues: IssueWriter;
  };

/**
 * Creates the function that cancels orders for customers, and orders that expire.
 *
 * 1. The provider is asked about every loan that may block the cancellation.
 * 2. The stored loans and the journal decide, under the order's lock. Loans are settled under the
 *    same lock: a loan is bound before the decision and part of it, or bound after it.
 *
 * What blocks the cancellation:
 *
 * - For a customer, only money, and loans that were presented with the order's key: anyone can
 *   request a loan for any order.
 * - A loan that is presented after step 1 has begun, only if it is bound. Otherwise invented ids
 *   could hold the stock forever. If such a loan is paid out, that is a payment issue.
 */
export function createCancelOrder({
  database,
  askAboutLoans,
  changeStatuses,
  issues,
}: CancellationDependencies): PaymentHooks["cancelOrder"] {
  return async (orderId, by, { version, reason, message, client, sameTransaction } = {}) => {
    const scope = { orderId, onlyWithKey: by.kind === "customer" };
    const unanswered = await askAboutLoans(scope, client);
    return database.inTransaction(async (unit): Promise<CancellationOutcome> => {
      await unit.lock(orderId);
      const account = await readOrderAccount(unit.db, orderId);
      if (account === undefined) return undefined;
      const { order } = account;
      if (version !== undefined && order.version !== version) return { kind: "unchanged" };
      const decision = cancellationOf({
        account,
        blockingIds: scope.onlyWithKey
          ? new Set(await findPresentedLoans(unit.db, scope))
          : undefined,
        unclear: await findUnclearLoans(unit.db, scope, { unanswered, now: database.now() }),
      });
      if (decision.kind === "refused") return decision;
      await sameTransaction?.beforeCancelling(unit);
      if (decision.kind === "cancel") {
        const change = { orderId, to: "Cancelled", by, reason, message } as const;
        await changeStatuses(unit, [change], new Map([[orderId, order]]));
        await issues.update(unit, { orderId }, by);
      }
      await sameTransaction?.afterCancelling(unit);
      return { kind: decision.kind === "cancel" ? "cancelled" : "unchanged" };
    });
  };
}
