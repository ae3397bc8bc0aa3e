import { connectContractsApi } from "../../../apps/server/src/modules/payments/provider/contracts-api/contracts-api.ts";
import type { Said, SaidLoan, Script } from "./script.ts";

const statuses = {
  "asked for": "Requested",
  "paid out": "PrincipalGiven",
  extended: "Extended",
  rejected: "Rejected",
  "in dispute": "DisputeBorrowerStarted",
  "with an unknown status": "Teleported",
} satisfies Record<SaidLoan["state"], string>;
const assets = { dollars: "UsdcPol", euros: "Eur", "something new": "UsdcNew" } as const;

function contractOf(loan: SaidLoan, { garbled }: Said) {
  return {
    id: loan.id,
    status: statuses[loan.state],
    loan_amount: garbled.has(loan.id) ? null : (loan.cents / 100).toFixed(2),
    loan_asset: assets[loan.asset],
    client_contract_id: loan.order,
    updated_at: loan.changedAt.toISOString(),
    a_new_field: {},
  };
}

/** The API of `docs/loan-provider.md`. */
export const contractsApi: Script = {
  name: "contracts-api",
  connect: connectContractsApi,
  perPage: Number.POSITIVE_INFINITY,
  isKey: (headers, key) => headers["x-api-key"] === key,
  answer({ pathname }, said) {
    if (pathname === "/api/users/me") return { id: said.account };
    if (pathname === "/api/contracts") return said.loans.map((loan) => contractOf(loan, said));
    const id = decodeURIComponent(pathname.replace("/api/contracts/", ""));
    const loan = said.loans.find((loan) => loan.id.toLowerCase() === id.toLowerCase());
    return loan && contractOf(loan, said);
  },
};
