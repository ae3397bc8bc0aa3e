import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

const FACT = "provider";

/** Stores how the provider was seen last, for all processes. */
export function writeProviderState(db: Queries, state: string): Promise<void> {
  return writeFact(db, FACT, state);
}

/** How the provider was seen last by any process; `undefined` where none has asked yet. */
export function readProviderState(db: Queries): Promise<string | undefined> {
  return readFact(db, FACT);
}
