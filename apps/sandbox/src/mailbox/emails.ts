import type Sqlite from "better-sqlite3";

/** An email in the list of the mailbox. */
export interface EmailHead {
  readonly id: number;
  /** In epoch milliseconds. */
  readonly receivedAt: number;
  /** The addresses of the envelope. */
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly messageId: string;
}

export interface Email extends EmailHead {
  readonly text: string;
  readonly html: string;
  /** The whole message as it was sent. */
  readonly raw: string;
}

export type Mailbox = ReturnType<typeof openMailbox>;

const MAX_EMAILS = 500;

/**
 * The emails that the shop has sent. Only the latest {@link MAX_EMAILS} are kept. Creates the table
 * if it does not exist.
 */
export function openMailbox(db: Sqlite.Database) {
  db.exec(`
    CREATE TABLE IF NOT EXISTS emails (
      id INTEGER PRIMARY KEY AUTOINCREMENT, received_at INTEGER NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL,
      subject TEXT NOT NULL, message_id TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, raw TEXT NOT NULL
    ) STRICT;
  `);
  const head = "id, received_at AS receivedAt, sender, recipient, subject, message_id AS messageId";
  const insert = db.prepare<Omit<Email, "id">>(
    `INSERT INTO emails (received_at, sender, recipient, subject, message_id, text, html, raw)
     VALUES (@receivedAt, @sender, @recipient, @subject, @messageId, @text, @html, @raw)`,
  );
  const trim = db.prepare("DELETE FROM emails WHERE id <= (SELECT max(id) FROM emails) - ?");
  const one = db.prepare<[number], Email>(
    `SELECT ${head}, text, html, raw FROM emails WHERE id = ?`,
  );
  const all = db.prepare<[], EmailHead>(`SELECT ${head} FROM emails ORDER BY id DESC`);
  const remove = db.prepare("DELETE FROM emails");
  return {
    add(email: Omit<Email, "id">): void {
      insert.run(email);
      trim.run(MAX_EMAILS);
    },
    find: (id: number) => one.get(id),
    /** Newest first. */
    list: () => all.all(),
    clear: () => void remove.run(),
  };
}
