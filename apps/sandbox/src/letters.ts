import type Sqlite from "better-sqlite3";

/** A letter that came, without its contents; times in epoch milliseconds. */
export interface LetterHead {
  readonly id: number;
  readonly receivedAt: number;
  /** The addresses of the envelope. */
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly messageId: string;
}

/** A letter that came; `raw` is the whole message as it was sent. */
export interface Letter extends LetterHead {
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

/** The letters of the mailbox. Only the latest {@link MOST_LETTERS} are kept. */
export interface LetterBox {
  add(letter: Omit<Letter, "id">): void;
  find(id: number): Letter | undefined;
  /** The letters, newest first. */
  list(): LetterHead[];
  clear(): void;
}

const MOST_LETTERS = 500;

/** Opens the letters in the sandbox's database; creates the table if it does not exist. */
export function openLetters(db: Sqlite.Database): LetterBox {
  db.exec(`
    CREATE TABLE IF NOT EXISTS letters (
      id INTEGER PRIMARY KEY AUTOINCREMENT, received_at INTEGER NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL,
      subject TEXT NOT NULL, message_id TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, raw TEXT NOT NULL
    ) STRICT;
  `);
  const head = "id, received_at AS receivedAt, sender, recipient, subject, message_id AS messageId";
  const insert = db.prepare<Omit<Letter, "id">>(
    `INSERT INTO letters (received_at, sender, recipient, subject, message_id, text, html, raw)
     VALUES (@receivedAt, @sender, @recipient, @subject, @messageId, @text, @html, @raw)`,
  );
  const trim = db.prepare("DELETE FROM letters WHERE id <= (SELECT max(id) FROM letters) - ?");
  const one = db.prepare<[number], Letter>(
    `SELECT ${head}, text, html, raw FROM letters WHERE id = ?`,
  );
  const all = db.prepare<[], LetterHead>(`SELECT ${head} FROM letters ORDER BY id DESC`);
  const remove = db.prepare("DELETE FROM letters");
  return {
    add(letter) {
      insert.run(letter);
      trim.run(MOST_LETTERS);
    },
    find: (id) => one.get(id),
    list: () => all.all(),
    clear: () => void remove.run(),
  };
}
