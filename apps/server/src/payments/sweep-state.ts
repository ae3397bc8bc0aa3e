import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";

/** How the sweeps of all processes stand; times in epoch milliseconds. */
export interface SweepState {
  /** When the last complete one began and ended; 0 where there has been none. */
  readonly began: number;
  readonly ended: number;
  /** How many have failed since. */
  readonly failures: number;
}

const FACT = "sweep";
const stateSchema = z.object({ began: z.number(), ended: z.number(), failures: z.number() });

/** Reads how the sweeps stand. */
export async function readSweepState(db: Queries): Promise<SweepState> {
  const row = await db.selectFrom("facts").select("value").where("name", "=", FACT).executeTakeFirst();
  const none: SweepState = { began: 0, ended: 0, failures: 0 };
  return row === undefined ? none : (stateSchema.safeParse(JSON.parse(row.value)).data ?? none);
}

/** Stores how the sweeps stand, for all processes. */
export async function writeSweepState(db: Queries, state: SweepState): Promise<void> {
  const value = JSON.stringify(state);
  await db
    .insertInto("facts")
    .values({ name: FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
