import type { HttpLoadResult } from "./load/http.ts";
import { type Program, runLoad } from "./programs.ts";

const SECONDS = 2;

/** What one shopper does while something else goes on. */
export const acts = { "GET /api/items": "/api/items", "an order placed": "order" };

/** The 99th of 100 of each act, in milliseconds. */
export async function shopper({ port }: Program): Promise<number[]> {
  const took: number[] = [];
  for (const what of Object.values(acts)) {
    const load = { port, connections: 1, seconds: SECONDS, what };
    took.push((await runLoad<HttpLoadResult>("http", load)).p99);
  }
  return took;
}
