import { type MismatchKind, mismatchesSchema, mismatchKinds, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { listMismatches } from "../payments/index.ts";
import { mismatchCursor, pageOf } from "./page.ts";

const PAGE = 200;

const operation = {
  operationId: "listMismatches",
  summary: "A page of contracts that do not pay their order, newest first",
  tag: "merchant",
  auth: "merchant",
  takes: z.object({ query: z.object({ cursor: z.optional(mismatchCursor) }) }),
  answers: { 200: mismatchesSchema },
} satisfies Operation;

export function listMismatchesRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.mismatches }, operation, async ({ query }) => {
    const rows = await listMismatches(db, { after: query.cursor, limit: PAGE + 1 });
    const { page, next_cursor } = pageOf(rows, PAGE, ({ seen_at, contract_id, order_id, kind }) =>
      z.encode(mismatchCursor, { seenAt: seen_at, contractId: contract_id, orderId: order_id, kind }),
    );
    const mismatches = knownMismatches(page).map((row) => ({ ...row, order_id: row.order_id || null }));
    return { mismatches, next_cursor };
  });
}

/** Leaves out mismatches of unknown kinds, which a newer version may have stored. */
export function knownMismatches<Row extends { readonly kind: string }>(
  rows: readonly Row[],
): (Row & { readonly kind: MismatchKind })[] {
  return rows.flatMap((row) => {
    const kind = mismatchKinds.find((known) => known === row.kind);
    return kind === undefined ? [] : [{ ...row, kind }];
  });
}
