import { freePort } from "../test/harness/free-port.ts";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { byTurns, median } from "./measure.ts";
import { holdLoad, makeTables, startOurs } from "./programs.ts";
import { beside, type Row } from "./row.ts";
import { seedLetters, seedOrders } from "./seed.ts";
import { acts, shopper } from "./shopper.ts";

const ROUNDS = 5;
/** So many that letters are still waiting when the last round ends. */
const LETTERS = 10_000;

/** The response times for a shopper while ten thousand letters wait and are sent, beside a shop without mail. */
export async function mail(): Promise<Row[]> {
  return onEachDatabase(rowsOn);
}

async function rowsOn(database: BenchDatabase): Promise<Row[]> {
  await makeTables(database.url);
  await seedOrders(database, { to: LETTERS, loan: "paid" });
  await seedLetters(database, LETTERS);
  await database.settle();
  const port = await freePort();
  const server = await holdLoad("mail", { port });
  const without = { DATABASE_URL: database.url };
  const withMail = { ...without, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "orders@shop.example" };
  const { one, other } = await byTurns(
    ROUNDS,
    () => measured(withMail),
    () => measured(without),
  );
  const sent = Number(await server.end());
  if (sent === 0 || sent >= LETTERS) throw new Error(`${sent} letters were sent meanwhile`);

  const what = `while ${LETTERS.toLocaleString("en")} letters wait and are sent, ${database.name}`;
  return Object.keys(acts).map((act, index) => {
    const p99 = (times: number[][]) => Number(median(times.map((time) => time[index] ?? 0)).toFixed(2));
    const row = { what: `${act} ${what}: 99th percentile`, ours: p99(one), unit: "ms" };
    return beside(row, { what: "without mail", value: p99(other) }, { most: 2 });
  });
}

/** Starts a shop, and measures its response times. */
async function measured(env: Record<string, string>): Promise<number[]> {
  const ours = await startOurs(env);
  const times = await shopper(ours);
  await ours.stop();
  return times;
}
