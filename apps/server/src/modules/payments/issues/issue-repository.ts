import type { IssueKind, Resolution } from "@keepsats/protocol";
import { type ExpressionBuilder, sql } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import { hashedId } from "../../../platform/database/hashed-id.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { orderNumberSql } from "../../orders/index.ts";
import type { AccountIds } from "../loans/loan-repository.ts";
import type { IssueKey, KnownIssue, NewIssue } from "../rules/index.ts";

/** Times in epoch milliseconds. While it is open, all fields of its resolution are `undefined`. */
export interface StoredIssue extends KnownIssue {
  /** When it was last opened. */
  readonly openedAt: number;
  readonly resolutionNote: string | undefined;
  readonly resolvedBy: string | undefined;
  readonly resolvedAt: number | undefined;
  readonly orderStatus: string | undefined;
  readonly orderNumber: string | undefined;
  readonly customerName: string | undefined;
}

/** The id of a payment issue: there is one of each kind for a loan and an order. */
export function idOfIssue({ loanId, orderId, kind }: IssueKey): string {
  return hashedId("payment issue", loanId, orderId, kind);
}

function storedIssues(db: Queries) {
  return db
    .selectFrom("payment_issues")
    .leftJoin("orders", "orders.id", "payment_issues.order_id")
    .select([
      "payment_issues.id",
      "kind",
      "loan_id as loanId",
      "detail",
      "opened_at as openedAt",
      "order_id as orderId",
      "resolution",
      "resolution_note as resolutionNote",
      "resolved_by as resolvedBy",
      "resolved_at as resolvedAt",
      "orders.status as orderStatus",
      sql.raw<string | null>(orderNumberSql).as("orderNumber"),
      "orders.customer_name as customerName",
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof storedIssues>["executeTakeFirstOrThrow"]>>;

function issueOf(row: Row): StoredIssue {
  return {
    ...row,
    orderId: row.orderId ?? undefined,
    resolution: row.resolution ?? undefined,
    resolutionNote: row.resolutionNote ?? undefined,
    resolvedBy: row.resolvedBy ?? undefined,
    resolvedAt: row.resolvedAt ?? undefined,
    orderStatus: row.orderStatus ?? undefined,
    orderNumber: row.orderNumber ?? undefined,
    customerName: row.customerName ?? undefined,
  };
}

export async function findIssue(db: Queries, id: string): Promise<StoredIssue | undefined> {
  const row = await storedIssues(db).where("payment_issues.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : issueOf(row);
}

export function findIssuesOfOrder(db: Queries, orderId: string): Promise<StoredIssue[]> {
  return findIssues(db, { orderIds: [orderId] });
}

/**
 * Finds the payment issues of orders, and the issues without an order of loans, oldest first.
 */
export async function findIssues(
  db: Queries,
  { orderIds = [], loanIds = [] }: AccountIds,
): Promise<StoredIssue[]> {
  if (orderIds.length + loanIds.length === 0) return [];
  const rows = await storedIssues(db)
    .where((eb) =>
      eb.or([
        ...(orderIds.length === 0 ? [] : [eb("order_id", "in", padKeys(orderIds))]),
        ...(loanIds.length === 0
          ? []
          : [eb.and([eb("loan_id", "in", padKeys(loanIds)), eb("order_id", "is", null)])]),
      ]),
    )
    .orderBy("opened_at")
    .orderBy("payment_issues.id")
    .execute();
  return rows.map(issueOf);
}

export async function hasIssueWithOrder(
  { db }: UnitOfWork,
  loanId: string,
  kind: IssueKind,
): Promise<boolean> {
  const row = await db
    .selectFrom("payment_issues")
    .select("id")
    .where("loan_id", "=", loanId)
    .where("kind", "=", kind)
    .where("order_id", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const unresolved = {
  resolution: null,
  resolution_note: null,
  resolved_by: null,
  resolved_at: null,
};

/**
 * Stores a payment issue as open. A stored issue is updated if its detail has changed, or if it is
 * resolved and `reopensResolved` says so.
 *
 * @param at epoch milliseconds
 * @returns whether it is new, open again or changed
 */
export async function openIssue(
  { db }: UnitOfWork,
  { kind, loanId, orderId, detail, reopensResolved }: NewIssue,
  at: number,
): Promise<boolean> {
  const id = idOfIssue({ loanId, orderId, kind });
  const row = await db
    .insertInto("payment_issues")
    .values({ id, loan_id: loanId, order_id: orderId ?? null, kind, detail, opened_at: at })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ detail, opened_at: at, ...unresolved })
        .where((eb) =>
          eb.or([
            eb("payment_issues.detail", "!=", detail),
            ...(reopensResolved === true ? [eb("payment_issues.resolved_at", "is not", null)] : []),
          ]),
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function reopenIssue({ db }: UnitOfWork, id: string, at: number): Promise<void> {
  const reopened = { ...unresolved, opened_at: at };
  await db.updateTable("payment_issues").set(reopened).where("id", "=", id).execute();
}

export async function storeResolution(
  { db }: UnitOfWork,
  id: string,
  { resolution, note, by, at }: { resolution: Resolution; note: string; by: string; at: number },
): Promise<void> {
  await db
    .updateTable("payment_issues")
    .set({ resolution, resolution_note: note, resolved_by: by, resolved_at: at })
    .where("id", "=", id)
    .execute();
}

export async function countIssues(db: Queries): Promise<{ kind: string; issues: number }[]> {
  return db
    .selectFrom("payment_issues")
    .select(["kind", (eb) => eb.fn.countAll<number>().as("issues")])
    .where("resolved_at", "is", null)
    .groupBy("kind")
    .execute();
}

/** Newest first. */
export async function listIssues(
  db: Queries,
  options: {
    readonly state?: "open" | "resolved" | undefined;
    readonly kind?: IssueKind | undefined;
    readonly after?: Pick<StoredIssue, "openedAt" | "id"> | undefined;
    readonly limit: number;
  },
): Promise<StoredIssue[]> {
  const { state, kind, after, limit } = options;
  let query = storedIssues(db)
    .orderBy("opened_at", "desc")
    .orderBy("payment_issues.id", "desc")
    .limit(limit);
  if (state !== undefined)
    query = query.where("resolved_at", state === "open" ? "is" : "is not", null);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("opened_at", "payment_issues.id"), "<", tuple(after.openedAt, after.id)),
    );
  return (await query.execute()).map(issueOf);
}

export function isUnresolved(eb: ExpressionBuilder<Tables, "payment_issues">) {
  return eb("payment_issues.resolved_at", "is", null);
}
