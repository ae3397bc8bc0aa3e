import type { Said, SaidLoan, Script } from "../script.ts";
import { connectPagedApi } from "./adapter.ts";

const states = {
  "asked for": "OPEN",
  "paid out": "FUNDED",
  extended: "ROLLED",
  rejected: "DEAD",
  "in dispute": "CONTESTED",
  "with an unknown status": "SIDEWAYS",
} satisfies Record<SaidLoan["state"], string>;
const units = { dollars: "USD", euros: "EUR", "something new": "USDX" } as const;
const PER_PAGE = 50;

function entryOf(loan: SaidLoan, { garbled }: Said) {
  return {
    no: loan.id,
    ref: loan.order,
    minor: garbled.has(loan.id) ? null : loan.cents,
    unit: units[loan.asset],
    state: states[loan.state],
    changed: loan.changedAt.getTime() / 1000,
  };
}

/** An API that is as different as possible from the first one. */
export const pagedApi: Script = {
  name: "paged-api",
  connect: connectPagedApi,
  perPage: PER_PAGE,
  isKey: (headers, key) => headers.authorization === `Bearer ${key}`,
  answer({ pathname, searchParams }, said) {
    if (pathname === "/v2/me") return { account: { no: said.account } };
    if (pathname === "/v2/loans") {
      const from = (Number(searchParams.get("page")) - 1) * PER_PAGE;
      const rest = said.loans.slice(from);
      return {
        loans: rest.slice(0, PER_PAGE).map((loan) => entryOf(loan, said)),
        next: rest.length > PER_PAGE ? from / PER_PAGE + 2 : null,
      };
    }
    const id = decodeURIComponent(pathname.replace("/v2/loans/", ""));
    const loan = said.loans.find((loan) => loan.id.toLowerCase() === id.toLowerCase());
    return loan && entryOf(loan, said);
  },
};
