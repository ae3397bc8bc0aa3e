import type { ScriptedLender } from "../harness/lender.ts";
import type { Shop } from "../harness/shop.ts";
import { waitFor } from "../harness/wait-for.ts";

/**
 * Waits until the shop has settled everything that the provider lists now: until a sweep is
 * complete whose list was requested after this call.
 */
export async function swept({ url }: Pick<Shop, "url">, lender: ScriptedLender): Promise<void> {
  const lists = lender.asked.list;
  await waitFor("a sweep to begin", () => lender.asked.list > lists);
  // An earlier sweep has ended before this one has begun.
  const begun = Date.now();
  await waitFor("a sweep to be complete", async () => (await lastSweepEnded(url)) >= begun);
}

/** When the last complete sweep has ended, in epoch milliseconds, or a little earlier. */
async function lastSweepEnded(url: string): Promise<number> {
  const asked = Date.now();
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: "Bearer metrics-token" },
  });
  const metric = /^keepsats_last_complete_sweep_seconds (\S+)$/m.exec(await answer.text());
  return metric === null ? 0 : asked - Number(metric[1]) * 1_000;
}
