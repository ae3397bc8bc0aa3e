import { providerStates } from "@keepsats/protocol";
import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

/** Whether the provider's last answer to any process was usable. */
export type ProviderState = (typeof providerStates)[number];

const FACT = "provider";

/** Stores for all processes whether the provider's last answer was usable. */
export function writeProviderState(db: Queries, state: ProviderState): Promise<void> {
  return writeFact(db, FACT, state);
}

/**
 * Reads whether the provider's last answer to any process was usable; `undefined` before the first
 * answer.
 */
export async function readProviderState(db: Queries): Promise<ProviderState | undefined> {
  const fact = await readFact(db, FACT);
  return providerStates.find((state) => state === fact);
}
