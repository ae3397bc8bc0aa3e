import { mismatchesSchema, mismatchKinds, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { pageOf } from "../http/page.ts";
import { route } from "../http/route.ts";
import {
  type Books,
  findBooksFor,
  givenBackFor,
  listMismatches,
  type StoredMismatch,
} from "../payments/index.ts";
import { mismatchCursor } from "./cursors.ts";
import { mismatchAnswer } from "./mismatch-answer.ts";

const PAGE = 200;

const operation = {
  operationId: "listMismatches",
  summary: "A page of contracts that do not pay their order, and of refunds owed, newest first",
  tag: "merchant",
  permission: "payments:read",
  takes: z.object({
    query: z.object({
      state: z.optional(z.enum(["open", "resolved"])),
      kind: z.optional(z.enum(mismatchKinds)),
      cursor: z.optional(mismatchCursor),
    }),
  }),
  answers: { 200: mismatchesSchema },
} satisfies Operation;

export function listMismatchesRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.mismatches }, operation, async ({ query }) => {
    const { state, kind, cursor: after } = query;
    const rows = await listMismatches(db, { state, kind, after, limit: PAGE + 1 });
    const { page, next_cursor } = pageOf(rows, PAGE, ({ seen_at, contract_id, order_id, kind }) =>
      z.encode(mismatchCursor, {
        seenAt: seen_at,
        contractId: contract_id,
        orderId: order_id,
        kind,
      }),
    );
    const books = await booksWithRefunds(db, page);
    return {
      mismatches: page.flatMap((row) => mismatchAnswer(row, books.get(row.order_id)) ?? []),
      next_cursor,
    };
  });
}

/**
 * The books of the orders for which some money was given back: only there a mismatch may owe less
 * than its amount.
 */
async function booksWithRefunds(
  db: Queries,
  rows: readonly StoredMismatch[],
): Promise<ReadonlyMap<string, Books>> {
  const open = rows.filter(({ resolved_at, cents }) => resolved_at === null && cents !== null);
  const refunded = await givenBackFor(
    db,
    open.map(({ order_id }) => order_id),
  );
  return findBooksFor(db, [...refunded.keys()]);
}
