import type { HttpLoadResult } from "./load/http-result.ts";
import { type Program, runLoad } from "./programs.ts";

const SECONDS = 2;

/** The requests of one shopper, sent during other load. */
export const acts = { "GET /api/items": "/api/items", "an order placed": "order" };

/** The 99th percentile of each kind of request, in milliseconds. */
export async function shopper({ port }: Program): Promise<number[]> {
  const took: number[] = [];
  for (const what of Object.values(acts)) {
    const load = { port, connections: 1, seconds: SECONDS, what };
    took.push((await runLoad<HttpLoadResult>("http", load)).p99);
  }
  return took;
}
