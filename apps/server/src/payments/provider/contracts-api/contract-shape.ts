import { centsCoveredBy } from "@keepsats/domain";
import * as z from "zod/mini";
import type { Loan, Unfit } from "../../loan.ts";
import { orderName, plainText, readEntry } from "../entry.ts";
import { assetKind, isDispute, isExtended, stateOf } from "./words.ts";

const contractSchema = z.object({
  id: plainText(100),
  status: plainText(100),
  /** In dollars. */
  loan_amount: z.union([z.number(), plainText(200)]),
  loan_asset: plainText(200),
  client_contract_id: orderName,
  updated_at: z.optional(z.unknown()),
});

type Contract = z.output<typeof contractSchema>;

/** Reads a contract. @returns the loan, or `shape`: the fields and types that are wrong */
export function readContract(body: unknown): Loan | { readonly shape: string } {
  const contract = readEntry(contractSchema, body);
  return "shape" in contract ? contract : loanOf(contract);
}

function loanOf(contract: Contract): Loan {
  const { id, status, loan_amount: amount, client_contract_id: name, updated_at: time } = contract;
  const cents = centsCoveredBy(amount);
  return {
    id,
    ...name,
    cents,
    exactCents: cents === undefined ? undefined : Number(amount) * 100,
    amountText: String(amount),
    unfit: unfitOf(contract, cents),
    state: stateOf(status),
    isDisputed: isDispute(status),
    wasExtended: isExtended(status),
    providerStatus: status,
    updatedAt: typeof time === "string" ? Date.parse(time) || 0 : 0,
  };
}

function unfitOf(
  { loan_asset: asset, loan_amount: amount }: Contract,
  cents: number | undefined,
): Unfit | undefined {
  switch (assetKind(asset)) {
    case "other":
      return { kind: "other-asset", asset };
    case "unknown":
      return { kind: "unknown-asset", asset };
    case "dollar":
      return cents === undefined ? { kind: "no-amount", amount: String(amount) } : undefined;
  }
}
