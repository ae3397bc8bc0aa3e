import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { openMailbox } from "./mailbox/emails.ts";
import type { Failure } from "./timeline.ts";

export interface Contract {
  readonly id: string;
  /** In cents. */
  readonly amount: number;
  readonly orderId: string;
  readonly failure: Failure;
  /** In epoch milliseconds. */
  readonly createdAt: number;
}

export type Store = ReturnType<typeof openStore>;

/**
 * The sandbox's database: contracts and emails survive a restart. Creates the SQLite file if it does
 * not exist.
 */
export function openStore(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Sqlite(file);
  db.pragma("journal_mode = WAL");
  db.exec(`
    CREATE TABLE IF NOT EXISTS contracts (
      id TEXT PRIMARY KEY, amount INTEGER NOT NULL, order_id TEXT NOT NULL, dial TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS account (id TEXT PRIMARY KEY) STRICT;
  `);
  db.prepare("INSERT INTO account SELECT ? WHERE NOT EXISTS (SELECT 1 FROM account)").run(
    randomUUID(),
  );
  const columns = "id, amount, order_id AS orderId, dial AS failure, created_at AS createdAt";
  const insert = db.prepare<Contract>(
    "INSERT INTO contracts VALUES (@id, @amount, @orderId, @failure, @createdAt)",
  );
  const one = db.prepare<[string], Contract>(`SELECT ${columns} FROM contracts WHERE id = ?`);
  const all = db.prepare<[], Contract>(`SELECT ${columns} FROM contracts ORDER BY created_at DESC`);
  return {
    /** The id of the shop's account at this lender. */
    lenderId: String(db.prepare("SELECT id FROM account").pluck().get()),
    add: (contract: Contract) => void insert.run(contract),
    find: (id: string) => one.get(id),
    list: () => all.all(),
    mailbox: openMailbox(db),
    close: () => void db.close(),
  };
}
