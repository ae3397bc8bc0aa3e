import { randomUUID } from "node:crypto";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

const FACT = "catalogue-edit";

/**
 * Notes, in the transaction of an edit of the catalogue, that there was one. Orders, which change
 * the stock, are none.
 */
export function noteEdit({ db }: UnitOfWork): Promise<void> {
  return writeFact(db, FACT, randomUUID());
}

/** Names the last edit of the catalogue: it is another text after each. */
export function lastEdit(db: Queries): Promise<string | undefined> {
  return readFact(db, FACT);
}
