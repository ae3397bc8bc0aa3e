import type { Cents } from "@keepsats/domain";
import type { AdminOrder } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Refusal } from "../../platform/refusal.ts";
import type { Actor } from "../staff/index.ts";
import type { StatusChange, StatusChangeOutcome } from "./changing/change-status.ts";

/** What orders need from payments, which depend on orders. */
export interface PaymentHooks {
  /** Cancels an order that awaits payment, unless a loan for it is active or paid out. */
  cancelOrder(
    orderId: string,
    by: Actor,
    options?: CancellationOptions,
  ): Promise<CancellationOutcome>;
  moveOrder(move: StaffMove): Promise<MoveOutcome>;
  /** Returns the loans, payment issues and ledger of an order. */
  describeMoney(
    db: Queries,
    orderId: string,
  ): Promise<Pick<AdminOrder, "loans" | "payment_issues" | "ledger" | "refund_lines"> | undefined>;
  /** Returns the refunded amounts, by order id; without orders that have no refunds. */
  refundedFor(db: Queries, orderIds: readonly string[]): Promise<Map<string, Cents>>;
}

/**
 * `unchanged`: the order was already cancelled, or has another version than the caller expects. A
 * refusal is `unavailable` if the provider must be asked again. `undefined`: there is no such order.
 */
export type CancellationOutcome =
  | { readonly kind: "cancelled" | "unchanged" }
  | Refusal
  | undefined;

interface CancellationOptions extends Pick<StatusChange, "reason" | "message"> {
  /** If the order has another version now, it is not cancelled. */
  readonly version?: number;
  /** The network of the customer. Calls to the loan provider count against its share. */
  readonly client?: string | undefined;
  /** Runs in the same transaction. If it throws, the order is not cancelled. */
  readonly sameTransaction?: {
    /** Called with the order locked, before items are locked. */
    beforeCancelling(unit: UnitOfWork): Promise<void>;
    /** Called once the order is cancelled, or if it already was. */
    afterCancelling(unit: UnitOfWork): Promise<void>;
  };
}

/** A status change by staff. */
export interface StaffMove extends Omit<StatusChange, "attemptFailed" | "hasUnclearLoans"> {
  /** Ship despite an open payment issue `disputed` or `changed-after-payout`. */
  readonly despiteIssue?: boolean | undefined;
}

/** A loan that may still be paid out for a cancelled order. */
export interface OpenLoan {
  readonly id: string;
  /** `undefined` if the provider could not be asked. */
  readonly providerStatus: string | undefined;
  readonly state: "active" | "unknown";
}

/** A payment issue that shipping needs a confirmation for. */
interface OpenIssue {
  readonly id: string;
  readonly kind: string;
  readonly detail: string;
}

/** `open-issue`: shipping needs `despiteIssue`, and nothing is changed. */
export type MoveOutcome =
  | Exclude<StatusChangeOutcome, { kind: "changed" }>
  | (Extract<StatusChangeOutcome, { kind: "changed" }> & {
      /** Empty unless the order was cancelled. */
      readonly openLoans: readonly OpenLoan[];
    })
  | { readonly kind: "open-issue"; readonly issues: readonly OpenIssue[] };
