import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

/** The state of the sweeps of all processes; times in epoch milliseconds. */
export interface SweepState {
  /** When the last complete sweep began and ended; 0 before the first. */
  readonly began: number;
  readonly ended: number;
  /** The number of failed sweeps since then. */
  readonly failures: number;
}

const FACT = "sweep";
const none: SweepState = { began: 0, ended: 0, failures: 0 };
const stateSchema = z.object({ began: z.number(), ended: z.number(), failures: z.number() });

/**
 * Reads the state of the sweeps. An invalid stored value counts as no sweep; the next sweep
 * overwrites it.
 */
export async function readSweepState(db: Queries): Promise<SweepState> {
  const fact = await readFact(db, FACT);
  return stateSchema.safeParse(parseJson(fact ?? "")).data ?? none;
}

/**
 * When the last complete sweep of all processes began, in epoch milliseconds; 0 before the first. A
 * sweep that began in the future was stored before the clock was set back, and does not count.
 */
export async function lastSweepBegan(db: Queries, now: number): Promise<number> {
  const { began } = await readSweepState(db);
  return began > now ? 0 : began;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores the state of the sweeps for all processes. */
export async function writeSweepState(db: Queries, state: SweepState): Promise<void> {
  await writeFact(db, FACT, JSON.stringify(state));
}
