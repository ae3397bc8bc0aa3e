import { newPostgres } from "./databases.ts";
import { median } from "./measure.ts";
import { makeTables, runBare } from "./programs.ts";
import { beside, type Row } from "./row.ts";

const ROUNDS = 3;

/**
 * The cost of notifications for the commits of orders: `NOTIFY` in the order's own transaction, and
 * in batches after it.
 */
export async function notify(): Promise<Row[]> {
  const database = await newPostgres();
  await makeTables(database.url);
  const rates: Record<string, number[]> = { none: [], inside: [], batched: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [how, measured] of Object.entries(rates)) {
      measured.push(
        (await runBare("postgres-orders", { url: database.url, seconds: 3, notify: how }))
          .perSecond,
      );
    }
  }
  const rate = (how: string) => Math.round(median(rates[how] ?? []));
  const silent = { what: "no notifications", value: rate("none") };
  return [
    beside(
      {
        what: "commits with notifications in batches after them (as the shop does)",
        ours: rate("batched"),
        unit: "/s",
      },
      silent,
    ),
    beside(
      { what: "commits with NOTIFY in their own transaction", ours: rate("inside"), unit: "/s" },
      silent,
    ),
  ];
}
