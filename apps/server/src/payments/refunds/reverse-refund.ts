import type { Actor } from "../../orders/index.ts";
import { readAccountOf, type StoredAccount } from "../journal/journal-repository.ts";
import { type RefundReversalDecision, refundReversalOf } from "../rules.ts";
import {
  lockNames,
  placeOf,
  type RefundDependencies,
  type RefundedAccount,
  tellOfRefund,
} from "./record-refund.ts";

/** That a refund did not arrive, and why. */
export interface RefundReversalRequest {
  readonly account: RefundedAccount;
  readonly refundId: string;
  readonly reason: string;
  readonly by: Actor;
}

/** The outcome of a {@link RefundReversalRequest}; all but `recorded` store nothing. */
export type RefundReversalOutcome =
  | { readonly kind: "recorded"; readonly account: StoredAccount }
  | Exclude<RefundReversalDecision, { kind: "recorded" }>;

export type ReverseRefund = (request: RefundReversalRequest) => Promise<RefundReversalOutcome>;

/**
 * Creates the function that records that a refund did not arrive. Its money is refundable again, and
 * the payment issue about it opens again.
 */
export function createReverseRefund(dependencies: RefundDependencies): ReverseRefund {
  const { database, appendEntries, reconcile } = dependencies;
  return ({ account: wanted, refundId, reason, by }) =>
    database.inTransaction(async (unit): Promise<RefundReversalOutcome> => {
      const place = await placeOf(unit, wanted);
      if (place.kind !== "found") return { kind: "not-found" };
      const { key, issue } = place;
      await unit.lock(...lockNames(key, issue?.loanId));
      const account = await readAccountOf(unit.db, key);
      const decision = refundReversalOf(refundId, account);
      if (decision.kind !== "recorded") return decision;
      const entries = decision.entries.map((entry) => ({ ...entry, reason }));
      const added = await appendEntries(unit, entries, by);
      const after = { ...account, entries: [...account.entries, ...added] };
      await tellOfRefund(
        unit,
        { kind: "refund-reversed", entries, by, reason, after },
        dependencies,
      );
      await reconcile(unit, key, by);
      return { kind: "recorded", account: await readAccountOf(unit.db, key) };
    });
}
