import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import { restorePostgres } from "../../scripts/backup/restore-postgres.ts";
import type { DatabaseKind, TestDatabase } from "../harness/databases.ts";
import type { Shop } from "../harness/shop.ts";
import { callAdminApi, readAllPages } from "../harness/staff.ts";

/** The versions whose databases are stored here, each in a folder. */
export const storedReleases = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, "sqlite.json.gz")),
);

const files = {
  SQLite: { backup: "sqlite.db.gz", answers: "sqlite.json.gz" },
  PostgreSQL: { backup: "postgres.dump.gz", answers: "postgres.json.gz" },
} as const;

/** The compressed files of a release: a backup, and the answers of the API to it. */
export function filesOf(version: string, { name }: Pick<DatabaseKind, "name">) {
  const folder = join(import.meta.dirname, version);
  const { backup, answers } = files[name];
  return { folder, backup: join(folder, backup), answers: join(folder, answers) };
}

/** What {@link readAnswers} has read from a release, as JSON. */
export function storedAnswers(version: string, kind: DatabaseKind): string {
  return String(gunzipSync(readFileSync(filesOf(version, kind).answers)));
}

/** Restores the database that a release wrote. */
export async function restoreRelease(version: string, kind: DatabaseKind): Promise<TestDatabase> {
  const backup = gunzipSync(readFileSync(filesOf(version, kind).backup));
  const testDatabase = await kind.newTestDatabase();
  if (kind.name === "SQLite") {
    await writeFile(testDatabase.url.replace("file:", ""), backup);
    return testDatabase;
  }
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-release-"));
  const file = join(temporary.path, "postgres.dump");
  await writeFile(file, backup);
  await restorePostgres(testDatabase.url, file, { force: false, dropOthers: false });
  return testDatabase;
}

const { admin } = paths;

/** Lists that do not change unless staff or customers change them. */
const lists = {
  items: admin.items,
  settings: admin.settings,
  staff: admin.staff,
  tokens: admin.tokens,
  webhooks: admin.webhooks,
};

/** The answers of the admin API of a shop with few orders. */
export async function readAnswers(shop: Pick<Shop, "url" | "token">) {
  async function read(path: string): Promise<unknown> {
    const { status, body } = await callAdminApi(shop, "GET", path);
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}`);
    return body;
  }
  async function readAll(path: string, field: string): Promise<Map<string, unknown>> {
    const pages = await readAllPages(async (query) =>
      z.looseObject({ next_cursor: z.nullable(z.string()) }).parse(await read(`${path}${query}`)),
    );
    const all = new Map<string, unknown>();
    for (const page of pages)
      for (const one of Object(page[field])) all.set(String(Reflect.get(one, "id")), one);
    return all;
  }
  const answers: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(lists)) answers[name] = await read(path);
  const orders = await readAll(admin.orders, "orders");
  for (const id of orders.keys()) orders.set(id, await read(withId(admin.order, id)));
  answers.orders = Object.fromEntries(orders);
  const issues = await readAll(admin.paymentIssues, "payment_issues");
  answers.payment_issues = Object.fromEntries(issues);
  return answers;
}
