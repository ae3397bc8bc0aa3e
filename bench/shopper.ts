import type { HttpLoad } from "./load/http.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import { holdLoad, type Program } from "./programs.ts";

/** The requests of one shopper, sent during other load. */
export const acts = ["GET /api/items", "an order placed"] as const;
export type Act = (typeof acts)[number];

const requests: Readonly<Record<Act, Pick<HttpLoad, "what" | "headers">>> = {
  // Two paths, because the answers to one are taken to be of one length, and the list changes.
  // Browsers take it compressed.
  "GET /api/items": { what: ["/api/items", "/api/items"], headers: { "Accept-Encoding": "br" } },
  "an order placed": { what: "order" },
};

/** What one shopper notices, in milliseconds. */
export type Noticed = Pick<HttpLoadResult, "p99" | "longest">;

/**
 * One shopper who asks for the same, again and again, while something runs. The request that is in
 * progress at its end counts.
 */
export async function shopper(
  { port }: Program,
  act: Act,
  meanwhile: () => Promise<unknown>,
): Promise<Noticed> {
  const load: HttpLoad = {
    port,
    connections: 1,
    seconds: 0,
    warmUp: 0.2,
    hold: true,
    ...requests[act],
  };
  const held = await holdLoad("http", load);
  await meanwhile();
  const result: HttpLoadResult = JSON.parse(await held.end());
  if (result.refused > 0) throw new Error(`${act}: ${result.refused} requests were refused`);
  return result;
}
