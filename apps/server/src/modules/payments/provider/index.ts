import type { ConnectProvider } from "../index.ts";
import { connectContractsApi } from "./contracts-api/contracts-api.ts";

/** By the value of `LOAN_PROVIDER`. Each adapter has a folder here. */
const providers: Readonly<Record<string, ConnectProvider>> = {
  "contracts-api": connectContractsApi,
};

export function providerNamed(name: string): ConnectProvider | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}

export const providerNames: readonly string[] = Object.keys(providers);
