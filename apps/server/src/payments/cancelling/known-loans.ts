import { setTimeout as pause } from "node:timers/promises";
import type { Queries } from "../../db/database.ts";
import { isOpen } from "../issues/issue-repository.ts";
import { loansOf } from "../loan-repository.ts";
import type { CheckLoan, Presenter } from "../loans/check-loan.ts";
import type { CheckKey } from "../loans/loan-queue.ts";
import { lastSweepBegan } from "../loans/sweep.ts";
import type { StoredLoan } from "../rules.ts";

/**
 * Selects the loans of an order that its cancellation depends on: all, or only those presented with
 * its key.
 */
export interface Considered {
  readonly orderId: string;
  readonly onlyWithKey: boolean;
}

/** The number of tries to learn about a loan, and the interval between them in milliseconds. */
const TRIES = 10;
const RETRY_INTERVAL = 300;

/**
 * Asks the provider about all loans that may be paid out for an order.
 *
 * @param client the network of the customer who cancels, whose share of calls is used; `undefined`
 *   for the shop's own questions
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
  /** @returns whether it is known now what the loan is */
  async function ask(key: CheckKey, presenter: Presenter | undefined): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { bound, finding, deferred } = await check(key, presenter);
      // Otherwise the call budget is used up, or another process is asking about it at the moment.
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

/** Reads the ids of the loans that were presented for an order. */
export async function presentedLoans(
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

/**
 * The ids of loans that may still be paid out for an order: those presented for it, and those bound
 * to it. Anybody can request a loan for any order, so of the latter only those count that were
 * presented with the key, if only that counts.
 */
async function knownLoans(db: Queries, of: Considered): Promise<string[]> {
  const presented = await presentedLoans(db, of);
  const bound = (await loansOf(db, of.orderId)).filter(isUndecided).map(({ id }) => id);
  const counted = of.onlyWithKey ? bound.filter((id) => presented.includes(id)) : bound;
  return [...new Set([...presented, ...counted])];
}

function isUndecided({ state }: StoredLoan): boolean {
  return state === "active" || state === "unknown";
}

/**
 * The unanswered loans that may be paid out for an order. A complete sweep that began after a loan
 * was presented has bound it, or proves that it is none for this order. Only an entry that the
 * sweep did not understand, which is an open payment issue, proves nothing.
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
