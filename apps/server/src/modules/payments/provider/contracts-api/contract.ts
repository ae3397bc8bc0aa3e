import { centsCoveredBy } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Loan } from "../../loans/loan-provider.ts";
import { orderIdSchema, plainText } from "../http-api.ts";

const contractSchema = z.object({
  id: plainText(100),
  status: plainText(100),
  /** In dollars. */
  loan_amount: z.union([z.number(), plainText(200)]),
  loan_asset: plainText(200),
  client_contract_id: orderIdSchema,
  updated_at: z.optional(z.unknown()),
});

type Contract = z.output<typeof contractSchema>;

/** Turns a contract into a loan. */
export const contractLoanSchema = z.pipe(contractSchema, z.transform(loanOf));

function loanOf(contract: Contract): Loan {
  const { id, status, loan_amount: amount, loan_asset: asset, updated_at: time } = contract;
  const cents = centsCoveredBy(amount);
  return {
    id,
    orderId: contract.client_contract_id,
    cents,
    exactCents: cents === undefined ? undefined : Number(amount) * 100,
    amountText: String(amount),
    otherAsset: dollars.has(asset) ? undefined : asset,
    state: stateOf(status),
    isDisputed: isDispute(status),
    wasExtended: isExtended(status),
    providerStatus: status,
    updatedAt: typeof time === "string" ? Date.parse(time) || 0 : 0,
  };
}

const knownStates = ["active", "paid-out", "ended"] as const;

/**
 * The state of each known status. Only the listed statuses prove a payment: there is no pattern
 * and no default for `paid-out`.
 */
const statuses: Readonly<Record<(typeof knownStates)[number], readonly string[]>> = {
  active: ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
  "paid-out": [
    "PrincipalGiven",
    "RepaymentProvided",
    "RepaymentConfirmed",
    "Undercollateralized",
    "Defaulted",
    "Extended",
    "Closing",
    "Closed",
    "ClosingByClaim",
    "ClosingByLiquidation",
    "ClosedByLiquidation",
    "ClosingByDefaulting",
    "ClosedByDefaulting",
  ],
  ended: [
    "Rejected",
    "Cancelled",
    "RequestExpired",
    "ApprovalExpired",
    // The collateral is returned because the principal was never paid out.
    "CollateralRecoverable",
    "ClosingByRecovery",
    "ClosedByRecovery",
  ],
};

/** @param status as the provider spells it */
export function stateOf(status: string): LoanState {
  return knownStates.find((state) => statuses[state].includes(status)) ?? "unknown";
}

/** A dispute can be opened before the payout, so it does not prove a payment. */
export function isDispute(status: string): boolean {
  return status.startsWith("Dispute");
}

/**
 * Whether another contract extends this one. The provider reports that contract as `PrincipalGiven`
 * from its start; it brings no money of its own.
 */
export function isExtended(status: string): boolean {
  return status === "Extended";
}

/**
 * US dollars, and USDC or USDT on known networks. It is a list and not a pattern, because anyone
 * can name a token `UsdcSomething`.
 */
export const dollars: ReadonlySet<string> = new Set([
  "Usd",
  "UsdcPol",
  "UsdtPol",
  "UsdcEth",
  "UsdtEth",
  "UsdcStrk",
  "UsdtStrk",
  "UsdcSol",
  "UsdtSol",
  "UsdtLiquid",
]);
