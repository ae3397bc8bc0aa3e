import { setTimeout as pause } from "node:timers/promises";
import type { Database, Queries } from "../../../platform/database/database.ts";
import type { CancellationOutcome, CancelOrder, ChangeStatuses } from "../../orders/index.ts";
import { isOpen } from "../issues/issue-repository.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { readAccount } from "../journal/journal-repository.ts";
import type { CheckLoan, Presenter } from "../loans/check-loan.ts";
import type { LoanCheckId } from "../loans/loan-queue.ts";
import { loansOf } from "../loans/loan-repository.ts";
import { lastSweepBegan } from "../loans/sweep.ts";
import { cancellationOf, openLoansOf } from "../rules.ts";

/** The loans that a cancellation depends on: all, or only those presented with the order's key. */
export interface Considered {
  readonly orderId: string;
  readonly onlyWithKey: boolean;
}

interface Dependencies {
  readonly database: Database;
  readonly askAboutLoans: AskAboutLoans;
  readonly changeStatuses: ChangeStatuses;
  readonly issues: IssueWriter;
}

/**
 * Creates the function that cancels orders for customers, and orders that expire. The provider is
 * asked about every loan that may block the cancellation, and then the stored loans and the journal
 * decide under the order's lock. Loans are settled under the same lock, so a loan is bound either
 * before the decision and is part of it, or after it. A loan that is presented after these calls
 * have begun counts only if it is bound; otherwise invented ids could hold the stock forever. If
 * such a loan is paid out, that is a payment issue.
 *
 * Anyone can request a loan for any order, so only money, and loans presented with the order's key,
 * block a cancellation by the customer.
 */
export function createCancelOrder({
  database,
  askAboutLoans,
  changeStatuses,
  issues,
}: Dependencies): CancelOrder {
  return async (orderId, by, { version, reason, message, client, together } = {}) => {
    const considered = { orderId, onlyWithKey: by.kind === "customer" };
    const unanswered = await askAboutLoans(considered, client);
    return database.inTransaction(async (unit): Promise<CancellationOutcome> => {
      await unit.lock(orderId);
      const account = await readAccount(unit.db, orderId);
      if (account === undefined) return { kind: "not-found" };
      const { order } = account;
      if (version !== undefined && order.version !== version) return { kind: "overtaken" };
      const decision = cancellationOf({
        account,
        considered: considered.onlyWithKey
          ? new Set(await presentedLoans(unit.db, considered))
          : undefined,
        unseen: await unseenLoans(unit.db, considered, { unanswered, now: database.now() }),
      });
      switch (decision.kind) {
        case "loan-active":
        case "paid":
        case "refused":
          return { kind: decision.kind, status: order.status };
        case "undecided":
          return { kind: "undecided" };
        case "unchanged":
          await together?.before(unit);
          await together?.after(unit);
          return { kind: "unchanged" };
        case "cancel": {
          await together?.before(unit);
          const change = { orderId, to: "Cancelled", by, reason, message } as const;
          await changeStatuses(unit, [change], new Map([[orderId, order]]));
          await issues.reconcile(unit, { orderId }, by);
          await together?.after(unit);
          return { kind: "cancelled" };
        }
      }
    });
  };
}

/** The number of tries to learn about a loan, and the interval between them in milliseconds. */
const TRIES = 10;
const RETRY_INTERVAL = 300;

/**
 * Asks the provider about all loans that may be paid out for an order.
 *
 * @param client the network of the customer who cancels, whose share of calls is used; `undefined`
 *   for the shop's own calls
 * @returns the ids of those whose state is still unknown
 */
export type AskAboutLoans = (of: Considered, client?: string) => Promise<readonly string[]>;

export function createAskAboutLoans({
  db,
  check,
}: {
  readonly db: Queries;
  readonly check: CheckLoan;
}): AskAboutLoans {
  /** @returns whether the state of the loan is known now */
  async function ask(key: LoanCheckId, presenter: Presenter | undefined): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { bound, finding, deferred } = await check(key, presenter);
      // Otherwise the call budget is used up, or another process is checking the loan now.
      const isAsked = !deferred && (bound || finding !== "waiting");
      if (isAsked) return bound || finding !== "unreachable";
      await pause(RETRY_INTERVAL, undefined, { ref: false });
    }
    return false;
  }

  return async (of, client) => {
    const known = await knownLoans(db, of);
    const presenter = client === undefined ? undefined : { client, holdsKey: of.onlyWithKey };
    const answered = await Promise.all(
      known.map((loanId) => ask({ orderId: of.orderId, loanId }, presenter)),
    );
    return known.filter((_, index) => answered[index] !== true);
  };
}

async function presentedLoans(
  db: Queries,
  { orderId, onlyWithKey }: Considered,
): Promise<string[]> {
  const rows = await db
    .selectFrom("payment_checks")
    .select("loan_id as id")
    .where("order_id", "=", orderId)
    .where("with_key", ">=", onlyWithKey ? 1 : 0)
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids of considered loans that may still be paid out: those presented, and those bound. */
async function knownLoans(db: Queries, of: Considered): Promise<string[]> {
  const presented = await presentedLoans(db, of);
  if (of.onlyWithKey) return presented;
  const bound = openLoansOf({ loans: await loansOf(db, of.orderId) });
  return [...new Set([...presented, ...bound.map(({ id }) => id)])];
}

/**
 * The unanswered loans that may be paid out for an order. A complete sweep that began after the
 * loan was presented has either bound it or proved that it is not for this order. The exception is
 * an entry that the sweep could not decode: it is an open payment issue, and proves nothing.
 *
 * @param now by the clock that all processes share
 */
export async function unseenLoans(
  db: Queries,
  of: Considered,
  { unanswered, now }: { readonly unanswered: readonly string[]; readonly now: number },
): Promise<string[]> {
  if (unanswered.length === 0) return [];
  const unseen = (await knownLoans(db, of)).filter((id) => unanswered.includes(id));
  if (unseen.length === 0) return [];
  const disproved = await db
    .selectFrom("payment_checks")
    .select("loan_id as id")
    .where("order_id", "=", of.orderId)
    .where("loan_id", "in", unseen)
    .where("created_at", "<", await lastSweepBegan(db, now))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_issues")
            .select("payment_issues.kind")
            .whereRef("payment_issues.loan_id", "=", "payment_checks.loan_id")
            .where(isOpen),
        ),
      ),
    )
    .execute();
  const disprovedIds = new Set(disproved.map(({ id }) => id));
  return unseen.filter((id) => !disprovedIds.has(id));
}
