import { readFileSync } from "node:fs";
import type { OrderBody } from "@keepsats/testing";
import { type DatabaseKind, type DatabasePlace, insertStatement, type Row } from "./databases.ts";
import type { ScriptedContract } from "./scripted-lender.ts";

/**
 * A shop that the release before version 6 of the database has written, see
 * {@link readShopOfVersion5}.
 */
export interface ShopOfVersion5 {
  /** By a name that says what has happened to the order, such as `paid-twice`. */
  readonly orders: Readonly<
    Record<string, { idempotency_key: string; request: OrderBody; answer: PlacedBefore }>
  >;
  /** The loans as the provider reports them. */
  readonly loans: readonly ScriptedContract[];
  /** How that release showed each order to the merchant, by the same names. */
  readonly shown: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The rows of each table but `web_assets`. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

interface PlacedBefore {
  readonly id: string;
  readonly key: string;
  readonly total_price: number;
}

/**
 * Reads the fixture: one order in each state, and money that does not fit. That release wrote it
 * itself, on SQLite: its server sold the orders over HTTP and settled these loans.
 */
export function readShopOfVersion5(): ShopOfVersion5 {
  return JSON.parse(
    readFileSync(new URL("../fixtures/shop-of-version-5.json", import.meta.url), "utf8"),
  );
}

/**
 * Creates a database with the rows of the fixture.
 *
 * @param version the version of the database when the rows are written: a later one than 5 if the
 *   old servers still run beside new ones, which have migrated it
 */
export async function fillShopOfVersion5(
  kind: DatabaseKind,
  place: DatabasePlace,
  version = 5,
): Promise<void> {
  const { tables } = readShopOfVersion5();
  await place.migrate(kind.migrations.slice(0, version));
  // Orders come first, because other tables refer to them.
  const names = ["orders", ...Object.keys(tables).filter((name) => name !== "orders")];
  for (const name of names) {
    for (const { position, ...row } of tables[name] ?? []) {
      // The database numbers the items itself.
      const columns = name === "items" || position === undefined ? row : { ...row, position };
      await place.run(insertStatement(name, columns));
    }
  }
}
