import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

const states = ["not asked yet", "ok", "away"] as const;

/** Whether the provider's last answer, to whichever process, could be used. */
export type ProviderState = (typeof states)[number];

const FACT = "provider";

/** Stores whether the provider's last answer could be used, for all processes. */
export function writeProviderState(db: Queries, state: ProviderState): Promise<void> {
  return writeFact(db, FACT, state);
}

/** Whether the provider's last answer to any process could be used; `undefined` where none has asked yet. */
export async function readProviderState(db: Queries): Promise<ProviderState | undefined> {
  const fact = await readFact(db, FACT);
  return states.find((state) => state === fact);
}
