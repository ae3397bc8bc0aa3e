import type { Database, UnitOfWork } from "../../db/database.ts";
import type {
  Actor,
  ChangeStatuses,
  OrderState,
  StatusChange,
  StoredStatus,
} from "../../orders/index.ts";
import type { Reconcile } from "../issues/reconcile.ts";
import { readAccount } from "../journal/journal-repository.ts";
import { cancellationOf } from "../rules.ts";
import { type AskAboutLoans, type Considered, presentedLoans, unseenLoans } from "./known-loans.ts";

/**
 * The outcome of cancelling an order that awaits its payment; see `cancellationOf`. `overtaken`: the
 * order has another version than the caller expected.
 */
export type CancellationOutcome =
  | { readonly kind: "cancelled" }
  | { readonly kind: "unchanged" }
  | { readonly kind: "loan-under-way" | "paid" | "refused"; readonly status: StoredStatus }
  | { readonly kind: "undecided" | "overtaken" | "not-found" };

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
  readonly askAboutLoans: AskAboutLoans;
  readonly changeStatuses: ChangeStatuses;
  readonly reconcile: Reconcile;
}

/**
 * Creates {@link CancelOrder} for the customer and for orders that expire. The provider is asked
 * about every loan that may block it, and then the stored loans and the journal decide under the
 * order's lock. Loans are settled under the same lock, so a loan is bound either before the decision
 * and is part of it, or after it. A loan that is presented after these calls have begun counts only
 * if it is bound; otherwise invented ids could hold the stock forever. If such a loan is paid out,
 * that is a payment issue.
 *
 * Anybody can request a loan for any order, so only money, and loans presented with the order's key,
 * block a cancellation by the customer.
 */
export function createCancelOrder(dependencies: Dependencies): CancelOrder {
  const { database, askAboutLoans } = dependencies;
  return async (orderId, by, options = {}) => {
    const considered = { orderId, onlyWithKey: by.kind === "shopper" };
    const unanswered = await askAboutLoans(considered, options.client);
    return database.inTransaction((unit) =>
      decideAndApply(unit, { by, options, considered, unanswered }, dependencies),
    );
  };
}

interface Request {
  readonly by: Actor;
  readonly options: CancellationOptions;
  readonly considered: Considered;
  /** The loans whose state the provider did not report. */
  readonly unanswered: readonly string[];
}

async function decideAndApply(
  unit: UnitOfWork,
  { by, options: { version, client: _, together, ...told }, considered, unanswered }: Request,
  { database, changeStatuses, reconcile }: Dependencies,
): Promise<CancellationOutcome> {
  const { orderId, onlyWithKey } = considered;
  await unit.lock(orderId);
  const account = await readAccount(unit.db, orderId);
  if (account === undefined) return { kind: "not-found" };
  const { order } = account;
  if (isOvertaken(order, version)) return { kind: "overtaken" };
  const decision = cancellationOf({
    account,
    considered: onlyWithKey ? new Set(await presentedLoans(unit.db, considered)) : undefined,
    unseen: await unseenLoans(unit.db, considered, { unanswered, now: database.now() }),
  });
  switch (decision.kind) {
    case "loan-under-way":
    case "paid":
    case "refused":
      return { kind: decision.kind, status: order.status };
    case "undecided":
      return { kind: "undecided" };
    case "cancel":
    case "unchanged":
      break;
  }
  await together?.before(unit);
  if (decision.kind === "cancel") {
    const change = { orderId, to: "Cancelled", by, ...told } as const;
    await changeStatuses(unit, [change], new Map([[orderId, order]]));
    await reconcile(unit, { orderId }, by);
  }
  await together?.after(unit);
  return { kind: decision.kind === "cancel" ? "cancelled" : "unchanged" };
}

function isOvertaken(order: OrderState, version: number | undefined): boolean {
  return version !== undefined && order.version !== version;
}
