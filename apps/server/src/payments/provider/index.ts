import type { ConnectProvider } from "../index.ts";
import { connectContractsApi } from "./contracts-api/contracts-api.ts";

/** The providers that the shop can be set to, by the value of `LOAN_PROVIDER`: one folder and one line for each. */
const providers: Readonly<Record<string, ConnectProvider>> = {
  "contracts-api": connectContractsApi,
};

/** The adapter of the provider of this name; `undefined` where there is none. */
export function providerNamed(name: string): ConnectProvider | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}

/** The names that {@link providerNamed} knows. */
export const providerNames: readonly string[] = Object.keys(providers);
