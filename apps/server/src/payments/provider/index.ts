import type { ConnectProvider } from "../index.ts";
import { connectContractsApi } from "./contracts-api/contracts-api.ts";

/**
 * The adapters by the value of `LOAN_PROVIDER`. Each has a folder here and one entry in this table.
 */
const providers: Readonly<Record<string, ConnectProvider>> = {
  "contracts-api": connectContractsApi,
};

/** The adapter with this name; `undefined` if there is none. */
export function providerNamed(name: string): ConnectProvider | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}

/** The names of all adapters. */
export const providerNames: readonly string[] = Object.keys(providers);
