import { setTimeout as pause } from "node:timers/promises";
import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import type { Database, Queries, UnitOfWork } from "../db/database.ts";
import {
  type Actor,
  type ChangeStatuses,
  findState,
  type OrderState,
  type StatusChange,
  type StoredStatus,
} from "../orders/index.ts";
import { isOpen, isOpenStrayMoney } from "./issue-repository.ts";
import { type BoundLoan, loansOf } from "./loan-repository.ts";
import type { CheckLoan, Presenter } from "./loans/check-loan.ts";
import type { CheckKey } from "./loans/loan-queue.ts";
import { lastSweepBegan } from "./loans/sweep.ts";

/**
 * The outcome of cancelling an unpaid order. `unchanged`: the order was cancelled before.
 * `loan-under-way`: a loan for it may still be paid out. `paid`: a loan for it has been paid out.
 * `refused`: its status permits no cancellation. `overtaken`: the order has another version than
 * the caller expected. `undecided`: a loan was presented for the order, the provider cannot be
 * asked about it now, and no complete sweep has begun since.
 */
export type CancellationOutcome =
  | { readonly kind: "cancelled" }
  | { readonly kind: "unchanged" }
  | { readonly kind: "loan-under-way"; readonly status: StoredStatus }
  | { readonly kind: "paid"; readonly status: StoredStatus }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "overtaken" }
  | { readonly kind: "undecided" }
  | { readonly kind: "not-found" };

/**
 * What is stored with a cancellation, and which version of the order the caller has decided about;
 * any by default.
 */
export interface CancellationOptions extends Pick<StatusChange, "reason" | "message"> {
  readonly version?: number;
  /**
   * The network of the customer who cancels: the questions to the provider use its share of calls.
   */
  readonly client?: string | undefined;
  /** Runs in the same transaction. If it throws, the order is not cancelled. */
  readonly together?: {
    /** Called with the order locked, before items are locked. */
    before(unit: UnitOfWork): Promise<void>;
    /** Called once the order is cancelled, or if it already was. */
    after(unit: UnitOfWork): Promise<void>;
  };
}

/** Cancels an order that waits for money, unless a loan for it is under way or paid. */
export type CancelOrder = (
  orderId: string,
  by: Actor,
  options?: CancellationOptions,
) => Promise<CancellationOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly check: CheckLoan;
  readonly changeStatuses: ChangeStatuses;
}

/** The number of tries to learn about a loan, and the interval between them in milliseconds. */
const TRIES = 10;
const RETRY_INTERVAL = 300;

/**
 * Creates {@link CancelOrder}. The provider is asked about every loan that may block it, and then
 * the stored loans decide under the order's lock. Loans are settled under the same lock, so a loan
 * is bound either before the decision and is part of it, or after it. A loan that is presented
 * after these calls have begun counts only if it is bound; otherwise invented ids could hold the
 * stock forever. If such a loan is paid out, it is recorded as a payment issue.
 *
 * Anyone can request a loan for any order, so only money, and loans presented with the order's key,
 * block a cancellation by the customer.
 */
export function createCancelOrder({ database, check, changeStatuses }: Dependencies): CancelOrder {
  const { db } = database;

  /**
   * Asks the provider about a loan that was presented. @returns whether it is known now what the
   * loan is
   */
  async function look(key: CheckKey, presenter: Presenter | undefined): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { bound, finding } = await check(key, presenter);
      if (bound) return true;
      switch (finding) {
        case "seen":
        case "absent":
        case "refused":
          return true;
        case "unreachable":
          return false;
        case "waiting":
          // The call budget is used up, or another process is asking about it at the moment.
          break;
      }
      await pause(RETRY_INTERVAL, undefined, { ref: false });
    }
    return false;
  }

  /** Asks the provider about all known loans. @returns those whose state is still unknown */
  async function unansweredLoans(of: Considered, client: string | undefined): Promise<string[]> {
    const known = await knownLoans(db, of);
    const presenter = client === undefined ? undefined : { client, holdsKey: of.onlyWithKey };
    const learned = await Promise.all(
      known.map((loanId) => look({ orderId: of.orderId, loanId }, presenter)),
    );
    return known.filter((_, index) => !learned[index]);
  }

  async function decideAndApply(
    unit: UnitOfWork,
    { orderId, by, options: { version, client: _, together, ...told }, unanswered }: Request,
  ): Promise<CancellationOutcome> {
    await unit.lock(orderId);
    const order = await findState(unit.db, orderId);
    if (order === undefined) return { kind: "not-found" };
    if (isOvertaken(order, version)) return { kind: "overtaken" };
    const considered = consideredBy(by, orderId);
    const loans = await loansInTheWay(unit.db, considered);
    const decision = decideCancellation({
      status: order.status,
      loans,
      hasStrayMoney: await hasStrayMoney(unit.db, orderId),
      unseen: await unseenLoans(unit.db, { ...considered, unanswered, now: database.now() }),
    });
    if (decision.kind !== "cancel" && decision.kind !== "unchanged") return decision;
    await together?.before(unit);
    if (decision.kind === "cancel")
      await changeStatuses(
        unit,
        [{ orderId, to: "Cancelled", by, ...told }],
        new Map([[orderId, order]]),
      );
    await together?.after(unit);
    return decision.kind === "cancel" ? { kind: "cancelled" } : decision;
  }

  return async (orderId, by, options = {}) => {
    const order = await findState(db, orderId);
    if (order === undefined) return { kind: "not-found" };
    const unanswered = isWaiting(order.status)
      ? await unansweredLoans(consideredBy(by, orderId), options.client)
      : [];
    return database.inTransaction((unit) =>
      decideAndApply(unit, { orderId, by, options, unanswered }),
    );
  };
}

interface Request {
  readonly orderId: string;
  readonly by: Actor;
  readonly options: CancellationOptions;
  /** The loans whose state the provider did not report. */
  readonly unanswered: readonly string[];
}

function isOvertaken(order: OrderState, version: number | undefined): boolean {
  return version !== undefined && order.version !== version;
}

type CancellationDecision =
  | Exclude<CancellationOutcome, { kind: "cancelled" | "overtaken" | "not-found" }>
  | { readonly kind: "cancel" };

/** What decides a cancellation. */
interface KnownForCancellation {
  readonly status: StoredStatus;
  /** The loans that are bound to the order. */
  readonly loans: readonly Pick<BoundLoan, "id" | "state">[];
  /**
   * Whether money has come in for the order that does not pay it, and nobody has dealt with it yet.
   */
  readonly hasStrayMoney: boolean;
  /** The loans that may be paid out for the order and whose state the provider did not report. */
  readonly unseen: readonly string[];
}

/** Decides the cancellation of an unpaid order. */
export function decideCancellation({
  status,
  loans,
  hasStrayMoney,
  unseen,
}: KnownForCancellation): CancellationDecision {
  if (status === "Cancelled") return { kind: "unchanged" };
  if (!isWaiting(status)) return { kind: "refused", status };
  if (hasStrayMoney || loans.some(({ state }) => state === "paid-out"))
    return { kind: "paid", status };
  // An unknown state, such as a dispute, does not prove that the loan has ended.
  if (loans.some(({ state }) => state === "active" || state === "unknown")) {
    return { kind: "loan-under-way", status };
  }
  return unseen.length > 0 ? { kind: "undecided" } : { kind: "cancel" };
}

function isWaiting(status: StoredStatus): boolean {
  return isOrderStatus(status) && awaitsPayment(status);
}

/**
 * Selects the loans that can block an order's cancellation: all, or only those presented with its
 * key.
 */
interface Considered {
  readonly orderId: string;
  readonly onlyWithKey: boolean;
}

function consideredBy(by: Actor, orderId: string): Considered {
  return { orderId, onlyWithKey: by.kind === "shopper" };
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

/** The bound loans that can block an order's cancellation. */
async function loansInTheWay(db: Queries, of: Considered): Promise<BoundLoan[]> {
  const bound = await loansOf(db, of.orderId);
  if (!of.onlyWithKey) return bound;
  const presented = new Set(await presentedLoans(db, of));
  return bound.filter(({ id, state }) => state === "paid-out" || presented.has(id));
}

/**
 * The ids of loans that may still be paid out for an order: those bound to it or presented for it.
 */
async function knownLoans(db: Queries, of: Considered): Promise<string[]> {
  const bound = await loansInTheWay(db, of);
  const open = bound.filter(({ state }) => state === "active" || state === "unknown");
  return [...new Set([...(await presentedLoans(db, of)), ...open.map(({ id }) => id)])];
}

/**
 * The unanswered loans that may be paid out for an order. A complete sweep that began after a loan
 * was presented has bound it, or proves that it is none for this order. Only an entry that the
 * sweep did not understand, which is listed as a payment issue, proves nothing.
 */
async function unseenLoans(
  db: Queries,
  { unanswered, now, ...of }: Considered & Pick<Request, "unanswered"> & { readonly now: number },
): Promise<string[]> {
  const { orderId } = of;
  const unseen = (await knownLoans(db, of)).filter((id) => unanswered.includes(id));
  if (unseen.length === 0) return [];
  const disproved = await db
    .selectFrom("payment_checks")
    .select("loan_id as id")
    .where("order_id", "=", orderId)
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

async function hasStrayMoney(db: Queries, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom("payment_issues")
    .select("kind")
    .where("order_id", "=", orderId)
    .where(isOpenStrayMoney)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
