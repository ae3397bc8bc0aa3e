import { ORDER_NUMBER_PREFIX, ORDER_NUMBER_START } from "@keepsats/domain";
import type { ShopSettingName } from "@keepsats/protocol";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

const setting: ShopSettingName = "order_number_start";
/** The setting is stored as JSON: its digits are between quotation marks. */
const start = `coalesce((select cast(trim(value, '"') as bigint) from shop_settings where name = '${setting}'), ${ORDER_NUMBER_START})`;

/**
 * The order number as SQL, in a statement that names `orders`. It is not stored: the database numbers
 * the orders already, without a lock that is held until the commit. Orders of version 1.0 have one.
 */
export const orderNumberSql = `'${ORDER_NUMBER_PREFIX}' || (orders.position + ${start})`;

/** The order number as a column of a query. */
export const orderNumber = sql.raw<string>(orderNumberSql).as("number");

/** The position of the order with a number. */
export function positionOf(number: number): RawBuilder<number> {
  return sql<number>`${number} - ${sql.raw(start)}`;
}

/** @returns `undefined` if the order does not exist */
export async function findOrderNumber(db: Queries, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("orders")
    .select(orderNumber)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.number;
}

/**
 * Whether an order was ever placed. Then the start of the order numbers stays, so that no number
 * changes. An order that is placed on PostgreSQL while the start changes may be answered with its
 * number by the former start; all later answers have the new one.
 */
export async function hasOrders(db: Queries): Promise<boolean> {
  return (await db.selectFrom("orders").select("id").limit(1).executeTakeFirst()) !== undefined;
}
