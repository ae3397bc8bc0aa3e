/** The fixed price of one bitcoin, in dollars. */
const bitcoinPrice = 100_000;
/** The loan amount divided by the value of the collateral. */
const loanToValue = 0.5;
/** The interest rate per year. */
const yearlyInterest = 0.09;
const termInMonths = 12;

/** The terms of a loan as texts. The collateral is rounded up to a whole satoshi. */
export function termsFor(cents: number) {
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
