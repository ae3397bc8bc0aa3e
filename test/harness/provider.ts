import type { ServerResponse } from "node:http";
import type {
  Loan,
  LoanProvider,
} from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { answerJson, startHttpServer } from "./http-server.ts";

/** A provider that knows these loans only. */
export interface GivenLoans extends LoanProvider {
  /** Whether it gives no answer. */
  away: boolean;
  /** The ids of the loans that it was asked for. */
  readonly asked: string[];
}

/** A provider with these loans; `onAsked` is called before each answer. */
export function aProvider(
  loans: readonly Loan[] = [],
  onAsked: (id: string) => Promise<void> = async () => {},
): GivenLoans {
  const provider: GivenLoans = {
    away: false,
    asked: [],
    reachable: true,
    lenderId: async () => ({ kind: "deferred" }),
    loans: async () => ({ kind: "deferred" }),
    takeLoanCall: async () => async (id) => {
      provider.asked.push(id);
      await onAsked(id);
      if (provider.away) return { kind: "unavailable", why: "it is away" };
      const value = loans.find((loan) => loan.id === id);
      return value === undefined ? { kind: "absent" } : { kind: "found", value };
    },
  };
  return provider;
}

/** A contract as a provider sends it; a test may omit or misspell any field. */
export type ScriptedContract = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A loan provider whose answers the test sets. */
export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

type ListHandler = (response: ServerResponse, contracts: readonly ScriptedContract[]) => void;

/** A contract of 45 dollars that names an order. */
export function aContract(
  id: string,
  orderId: string | null,
  status: string,
  changes: object = {},
): ScriptedContract {
  return {
    id,
    status,
    loan_amount: "45.00",
    loan_asset: "UsdcPol",
    client_contract_id: orderId,
    ...changes,
  };
}

/** Starts a provider without contracts. */
export async function startScriptedProvider() {
  const contracts = new Map<string, ScriptedContract>();
  const asked = { list: 0, contracts: new Map<string, number>() };
  const calls: number[] = [];
  let listBy: ListHandler | undefined;
  const server = await startHttpServer((request, response) => {
    calls.push(performance.now());
    const path = request.url ?? "";
    if (path === "/api/users/me") return answerJson(response, { id: "the-lender" });
    if (path === "/api/contracts") {
      asked.list += 1;
      if (listBy !== undefined) return listBy(response, [...contracts.values()]);
      return answerJson(response, [...contracts.values()]);
    }
    const id = decodeURIComponent(path.replace("/api/contracts/", ""));
    asked.contracts.set(id, (asked.contracts.get(id) ?? 0) + 1);
    const contract = contracts.get(id);
    return contract === undefined ? answerJson(response, {}, 404) : answerJson(response, contract);
  });
  return {
    ...server,
    /** How often the list, and each contract, was requested. */
    asked,
    /** The times of all calls, in milliseconds of `performance.now()`. */
    calls,
    /** Adds a contract, or replaces it. */
    setContract(contract: ScriptedContract): void {
      contracts.set(contract.id, contract);
    },
    /** Sets the handler of the list from now on; `undefined` restores the usual one. */
    listBy(handler: ListHandler | undefined): void {
      listBy = handler;
    },
  };
}
