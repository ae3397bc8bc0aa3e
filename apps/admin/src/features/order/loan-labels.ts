/** The loan provider's statuses. */
const labels: Readonly<Record<string, string>> = {
  Requested: "Requested by the customer",
  RenewalRequested: "Renewal requested by the customer",
  Approved: "Approved by the lender, awaiting the collateral",
  CollateralSeen: "The collateral is on its way",
  CollateralConfirmed: "The collateral has arrived",
  PrincipalGiven: "The lender has paid",
  RepaymentProvided: "Paid; the customer has repaid, not yet confirmed",
  RepaymentConfirmed: "Paid; the customer has repaid",
  Undercollateralized: "Paid; the customer owes the lender more collateral",
  Defaulted: "Paid; the customer did not repay the lender",
  Extended: "Paid; extended by another loan",
  Closing: "Paid; the loan is being closed",
  Closed: "Paid; the loan is closed",
  ClosingByClaim: "Paid; the lender takes the collateral",
  ClosingByLiquidation: "Paid; the lender sells the collateral",
  ClosedByLiquidation: "Paid; the lender has sold the collateral",
  ClosingByDefaulting: "Paid; closed without repayment",
  ClosedByDefaulting: "Paid; closed without repayment",
  Rejected: "Declined by the lender",
  Cancelled: "The loan was cancelled",
  RequestExpired: "The request has expired",
  ApprovalExpired: "The collateral did not arrive in time",
  CollateralRecoverable: "The lender did not pay; the collateral is being returned",
  ClosingByRecovery: "The lender did not pay; the collateral is being returned",
  ClosedByRecovery: "The lender did not pay; the collateral was returned",
};

/** The loan states, for statuses without a label. */
const states: Readonly<Record<string, string>> = {
  active: "The loan is active",
  "paid-out": "The lender has paid",
  ended: "The loan ended without a payout",
  unknown: "Unknown: ask the lender",
};

/**
 * The label of a loan. An unknown status is shown with the loan's state.
 *
 * @param state empty if it is unknown
 */
export function loanLabel(providerStatus: string, state: string): string {
  if (providerStatus.startsWith("Dispute")) return "Disputed between customer and lender";
  const label = labels[providerStatus];
  if (label !== undefined) return label;
  return state === "" ? providerStatus : `${states[state] ?? state} (${providerStatus})`;
}
