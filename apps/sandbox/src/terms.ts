/** What the sandbox says a bitcoin costs, in dollars. No market was asked. */
const bitcoinPrice = 100_000;
/** The loan as a share of the collateral's worth. */
const loanToValue = 0.5;
/** A year's interest, as a share of the loan. */
const yearlyInterest = 0.09;
const termInMonths = 12;

/** The terms of a loan, as the pop-up shows them; amounts in dollars, collateral in bitcoin. */
export interface Terms {
  readonly amount: string;
  readonly loanToValue: string;
  readonly interest: string;
  readonly term: string;
  readonly repay: string;
  readonly bitcoinPrice: string;
  readonly collateral: string;
}

/** The terms of a loan of so many cents. The collateral is rounded up to the satoshi. */
export function termsFor(cents: number): Terms {
  const satoshi = Math.ceil((cents * 1_000_000) / loanToValue / bitcoinPrice);
  const interest = Math.ceil((cents * yearlyInterest * termInMonths) / 12);
  return {
    amount: dollars(cents),
    loanToValue: `${loanToValue * 100} %`,
    interest: `${yearlyInterest * 100} % a year`,
    term: `${termInMonths} months`,
    repay: dollars(cents + interest),
    bitcoinPrice: dollars(bitcoinPrice * 100),
    collateral: `${(satoshi / 1e8).toFixed(8)} BTC`,
  };
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
}
