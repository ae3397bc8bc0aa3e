import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

/** How the sweeps of all processes stand; times in epoch milliseconds. */
export interface SweepState {
  /** When the last complete one began and ended; 0 where there has been none. */
  readonly began: number;
  readonly ended: number;
  /** How many have failed since. */
  readonly failures: number;
}

const FACT = "sweep";
const none: SweepState = { began: 0, ended: 0, failures: 0 };
const stateSchema = z.object({ began: z.number(), ended: z.number(), failures: z.number() });

/** Reads how the sweeps stand. What cannot be read counts as no sweep: the next one stores it anew. */
export async function readSweepState(db: Queries): Promise<SweepState> {
  const fact = await readFact(db, FACT);
  return stateSchema.safeParse(parseJson(fact ?? "")).data ?? none;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores how the sweeps stand, for all processes. */
export async function writeSweepState(db: Queries, state: SweepState): Promise<void> {
  await writeFact(db, FACT, JSON.stringify(state));
}
