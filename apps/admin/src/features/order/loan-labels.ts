import { labelOf } from "@keepsats/protocol";

/** The loan provider's statuses. */
const labels = {
  Requested: "Requested by the customer",
  RenewalRequested: "Renewal requested by the customer",
  Approved: "Approved by the loan provider, awaiting the collateral",
  CollateralSeen: "The collateral is on its way",
  CollateralConfirmed: "The collateral has arrived",
  PrincipalGiven: "The loan provider has paid",
  RepaymentProvided: "Paid; the customer has repaid, not yet confirmed",
  RepaymentConfirmed: "Paid; the customer has repaid",
  Undercollateralized: "Paid; the customer owes the loan provider more collateral",
  Defaulted: "Paid; the customer did not repay the loan provider",
  Extended: "Paid; extended by another loan",
  Closing: "Paid; the loan is being closed",
  Closed: "Paid; the loan is closed",
  ClosingByClaim: "Paid; the loan provider takes the collateral",
  ClosingByLiquidation: "Paid; the loan provider sells the collateral",
  ClosedByLiquidation: "Paid; the loan provider has sold the collateral",
  ClosingByDefaulting: "Paid; closed without repayment",
  ClosedByDefaulting: "Paid; closed without repayment",
  Rejected: "Declined by the loan provider",
  Cancelled: "The loan was cancelled",
  RequestExpired: "The request has expired",
  ApprovalExpired: "The collateral did not arrive in time",
  CollateralRecoverable: "The loan provider did not pay; the collateral is being returned",
  ClosingByRecovery: "The loan provider did not pay; the collateral is being returned",
  ClosedByRecovery: "The loan provider did not pay; the collateral was returned",
};

/** The loan states, for statuses without a label. */
const states = {
  active: "The loan is active",
  "paid-out": "The loan provider has paid",
  ended: "The loan ended without a payout",
  unknown: "Unknown: ask the loan provider",
};

/**
 * The label of a loan. An unknown status is shown with the loan's state.
 *
 * @param state empty if it is unknown
 */
export function loanLabel(providerStatus: string, state: string): string {
  if (providerStatus.startsWith("Dispute")) return "Disputed between customer and loan provider";
  const unknown =
    state === "" ? providerStatus : `${labelOf(states, state, state)} (${providerStatus})`;
  return labelOf(labels, providerStatus, unknown);
}
