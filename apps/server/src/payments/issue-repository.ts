import type { IssueKind } from "@keepsats/protocol";
import type { ExpressionBuilder } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";
import type { Claim } from "./decision.ts";
import type { Issue, Resolution } from "./issue.ts";
import type { IssueKey } from "./issue-id.ts";

/** The loan and the order of a payment issue, and when it was seen in epoch milliseconds. */
export interface IssuePlace {
  readonly loanId: string;
  readonly orderId: string;
  readonly seenAt: number;
}

/** The values of a payment issue that nobody has resolved. */
const unresolved = {
  resolution: null,
  resolution_note: null,
  resolved_by: null,
  resolved_at: null,
};

/**
 * Records a payment issue, or updates it if its detail has changed, or if it was resolved and is
 * reported again; it is open again then. Its money stays as it was first recorded.
 *
 * @returns its money in cents as it is stored now; `undefined` if it is neither new nor changed
 */
export async function recordIssue(
  unit: UnitOfWork,
  { loanId, orderId, seenAt }: IssuePlace,
  { kind, detail, cents, isNew = false }: Issue,
): Promise<{ readonly cents: number | null } | undefined> {
  return unit.db
    .insertInto("payment_issues")
    .values({ loan_id: loanId, order_id: orderId, kind, detail, cents, seen_at: seenAt })
    .onConflict((conflict) =>
      conflict
        .columns(["loan_id", "order_id", "kind"])
        .doUpdateSet((eb) => ({
          detail,
          seen_at: seenAt,
          cents: eb.fn.coalesce("payment_issues.cents", "excluded.cents"),
          ...unresolved,
        }))
        .where((eb) =>
          eb.or([
            eb("payment_issues.detail", "!=", detail),
            ...(isNew ? [eb("payment_issues.resolved_at", "is not", null)] : []),
          ]),
        ),
    )
    .returning("cents")
    .executeTakeFirst();
}

/** Finds the money of a loan that a payment issue has recorded; the first, if there are several. */
export async function findClaim({ db }: UnitOfWork, loanId: string): Promise<Claim | undefined> {
  const row = await db
    .selectFrom("payment_issues")
    .leftJoin("orders", "orders.id", "payment_issues.order_id")
    .select(["order_id", "orders.id as known_id", "kind", "cents", "resolved_at"])
    .where("loan_id", "=", loanId)
    .where("cents", "is not", null)
    .orderBy("seen_at")
    .orderBy("order_id")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.cents === null) return undefined;
  const { order_id: orderId, known_id, kind, cents, resolved_at } = row;
  return { orderId, isOfShop: known_id !== null, kind, cents, isResolved: resolved_at !== null };
}

/**
 * The kind of which one loan may have several payment issues: one with its money, and one for each
 * order that it may be meant for.
 */
const UNKNOWN_ORDER: IssueKind = "unknown-order";

/**
 * Whether a loan already has a payment issue `unknown-order` with an order of the shop. A loan that
 * is presented for another order than its own is recorded once, because anybody can present one
 * loan for many orders.
 */
export async function hasUnknownOrderIssue(unit: UnitOfWork, loanId: string): Promise<boolean> {
  const row = await unit.db
    .selectFrom("payment_issues")
    .select("kind")
    .where("loan_id", "=", loanId)
    .where("kind", "=", UNKNOWN_ORDER)
    .where("order_id", "in", (eb) =>
      eb.selectFrom("orders").select("id").whereRef("orders.id", "=", "payment_issues.order_id"),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The open payment issues of a loan that only say for which other order it may be meant: another
 * one has its money.
 */
export async function openCompanionsOf(
  db: Queries,
  { loanId, orderId, kind }: IssueKey,
): Promise<IssueKey[]> {
  const rows = await db
    .selectFrom("payment_issues")
    .select(["order_id", "kind"])
    .where("loan_id", "=", loanId)
    .where("kind", "=", UNKNOWN_ORDER)
    .where("cents", "is", null)
    .where(isOpen)
    .execute();
  return rows
    .filter((row) => row.order_id !== orderId || row.kind !== kind)
    .map((row) => ({ loanId, orderId: row.order_id, kind: row.kind }));
}

/** A payment issue as it is stored, with the status of its order; times in epoch milliseconds. */
export type StoredIssue = Awaited<ReturnType<typeof issuesOf>>[number];

function storedIssues(db: Queries) {
  return db
    .selectFrom("payment_issues")
    .leftJoin("orders", "orders.id", "payment_issues.order_id")
    .select([
      "loan_id",
      "order_id",
      "orders.status as order_status",
      "orders.customer_name as customer_name",
      "kind",
      "detail",
      "cents",
      "seen_at",
      "resolution",
      "resolution_note",
      "resolved_by",
      "resolved_at",
    ]);
}

/** Reads all payment issues of an order, oldest first. */
export async function issuesOf(db: Queries, orderId: string) {
  return storedIssues(db)
    .where("order_id", "=", orderId)
    .orderBy("seen_at")
    .orderBy("loan_id")
    .orderBy("kind")
    .execute();
}

/** Reads one payment issue; `undefined` where there is none. */
export async function findIssue(
  db: Queries,
  { loanId, orderId, kind }: IssueKey,
): Promise<StoredIssue | undefined> {
  return storedIssues(db)
    .where("loan_id", "=", loanId)
    .where("order_id", "=", orderId)
    .where("kind", "=", kind)
    .executeTakeFirst();
}

/** Stores how a payment issue was resolved; `at` in epoch milliseconds. */
export async function storeResolution(
  { db }: UnitOfWork,
  { loanId, orderId, kind }: IssueKey,
  { resolution, note, by, at }: { resolution: Resolution; note: string; by: string; at: number },
): Promise<void> {
  await db
    .updateTable("payment_issues")
    .set({ resolution, resolution_note: note, resolved_by: by, resolved_at: at })
    .where("loan_id", "=", loanId)
    .where("order_id", "=", orderId)
    .where("kind", "=", kind)
    .execute();
}

/** Counts the open payment issues by kind. */
export async function countIssues(db: Queries): Promise<{ kind: string; issues: number }[]> {
  return db
    .selectFrom("payment_issues")
    .select(["kind", (eb) => eb.fn.countAll<number>().as("issues")])
    .where("resolved_at", "is", null)
    .groupBy("kind")
    .execute();
}

/** Counts the cancelled orders with a refund due: a loan was paid out for them. */
export async function countRefundsDue(db: Queries): Promise<number> {
  const { orders } = await db
    .selectFrom("payment_issues")
    .select((eb) => eb.fn.count<number>("order_id").distinct().as("orders"))
    .where("resolved_at", "is", null)
    .where("kind", "=", "paid-after-cancel")
    .executeTakeFirstOrThrow();
  return Number(orders);
}

/** A position in the list of all payment issues; `seenAt` in epoch milliseconds. */
export interface PlaceOnList extends IssueKey {
  readonly seenAt: number;
}

/** Whether a payment issue was resolved. */
export type IssueState = "open" | "resolved";

/**
 * Reads a page of at most `limit` payment issues after a position, newest first; in any state and
 * of any kind by default.
 */
export async function listIssues(
  db: Queries,
  options: {
    readonly state?: IssueState | undefined;
    readonly kind?: IssueKind | undefined;
    readonly after?: PlaceOnList | undefined;
    readonly limit: number;
  },
): Promise<StoredIssue[]> {
  const { state, kind, after, limit } = options;
  let query = storedIssues(db)
    .orderBy("seen_at", "desc")
    .orderBy("loan_id")
    .orderBy("order_id")
    .orderBy("kind")
    .limit(limit);
  if (state !== undefined)
    query = query.where("resolved_at", state === "open" ? "is" : "is not", null);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (after !== undefined) {
    const { seenAt, loanId, orderId, kind: afterKind } = after;
    query = query.where(({ eb, and, or, refTuple, tuple }) =>
      or([
        eb("seen_at", "<", seenAt),
        and([
          eb("seen_at", "=", seenAt),
          eb(refTuple("loan_id", "order_id", "kind"), ">", tuple(loanId, orderId, afterKind)),
        ]),
      ]),
    );
  }
  return query.execute();
}

/** Whether a payment issue is open. */
export function isOpen(eb: ExpressionBuilder<Tables, "payment_issues">) {
  return eb("payment_issues.resolved_at", "is", null);
}

/** Whether a payment issue is open and has received money that pays no order. */
export function isOpenStrayMoney(eb: ExpressionBuilder<Tables, "payment_issues">) {
  return eb.and([isOpen(eb), eb("payment_issues.cents", ">", 0)]);
}
