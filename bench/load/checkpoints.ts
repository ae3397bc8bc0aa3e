import { setTimeout as pause } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import { anOrder } from "@keepsats/testing";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { onCommands } from "../commands.ts";
import { readSettings } from "../settings.ts";

/** The settings of this program, as JSON on the command line. */
export interface CheckpointLoad {
  /** The shop: an order placed there commits, and with SQLite its commit runs the checkpoint. */
  readonly port: number;
  /** The database's `DATABASE_URL`. */
  readonly url: string;
}

/**
 * Fills the log of the database at `begin`, and has a checkpoint run when the shopper is being
 * measured.
 */
const { port, url } = readSettings<CheckpointLoad>();
/** As many pages as the shop lets SQLite's log grow to. */
const PAGES = 4_000;
const AT_A_TIME = 50;
/** So many before the shopper is measured; his first orders do not fill the log. */
const FILLED_BEFORE = 2_500;
/** When the shopper is being measured, in milliseconds after `begin`. */
const WITHIN = 800;
/** A row takes a page. */
const FILLER = 3_900;

interface Log {
  change(first: number, count: number): Promise<void>;
  checkpoint(): Promise<void>;
}

const log = url.startsWith("file:") ? openSqlite(url.slice("file:".length)) : await openPostgres();

function openSqlite(file: string): Log {
  const sqlite = new BetterSqlite3(file, { timeout: 5_000 });
  sqlite.pragma("wal_autocheckpoint = 0");
  sqlite.pragma("synchronous = OFF");
  sqlite.exec("CREATE TABLE IF NOT EXISTS bench_pages (n INTEGER PRIMARY KEY, filler BLOB)");
  const insert = sqlite.prepare("INSERT OR REPLACE INTO bench_pages VALUES (?, randomblob(?))");
  const change = sqlite.transaction((first: number, count: number) => {
    for (let n = first; n < first + count; n += 1) insert.run(n, FILLER);
  });
  return { change: async (first, count) => change.immediate(first, count), checkpoint: placeOrder };
}

async function openPostgres(): Promise<Log> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE TABLE IF NOT EXISTS bench_pages (n INTEGER PRIMARY KEY, filler TEXT)");
  await client.query("ALTER TABLE bench_pages ALTER COLUMN filler SET STORAGE PLAIN");
  return {
    async change(first, count) {
      await client.query(
        "INSERT INTO bench_pages SELECT n, repeat(md5(random()::text), $3) FROM generate_series($1::int, $2::int) AS n ON CONFLICT (n) DO UPDATE SET filler = excluded.filler",
        [first, first + count - 1, Math.floor(FILLER / 32)],
      );
    },
    checkpoint: async () => void (await client.query("CHECKPOINT")),
  };
}

async function placeOrder(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${paths.orders}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify(anOrder()),
  });
  if (!answer.ok) throw new Error(`an order was answered ${answer.status}`);
}

async function fill(first: number, end: number): Promise<void> {
  for (let n = first; n < end; n += AT_A_TIME) {
    await log.change(n, AT_A_TIME);
    await pause(2);
  }
}

async function fillUpAndCheckpoint(): Promise<void> {
  await pause(WITHIN);
  await fill(FILLED_BEFORE, PAGES);
  await log.checkpoint();
}

let working: Promise<void> = Promise.resolve();
await onCommands({
  async begin() {
    await fill(0, FILLED_BEFORE);
    working = fillUpAndCheckpoint();
  },
  rest: () => working,
});
process.exit();
