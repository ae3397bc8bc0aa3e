import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { csvOf } from "../../platform/http/csv.ts";
import { elapsed } from "../../platform/scheduling/clock.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { reauthorize } from "./authorize.ts";

/** The share of the time that an export takes while there are requests. */
const SHARE = 1 / 20;

/**
 * Sends a file while it is read: only a part of it is in memory. Between two parts it yields to the
 * event loop, and re-authorizes the principal. After a revocation it throws `UnauthorizedError`,
 * which closes the connection without the last chunk, so the client does not take the file for
 * complete.
 */
export function sendExport(
  reply: FastifyReply,
  db: Queries,
  { name, type }: { readonly name: string; readonly type: string },
  parts: AsyncIterable<string>,
): FastifyReply {
  // The time for which the client was slow is no work of this export.
  let waited = 0;
  const yieldToEventLoop = createYield({ share: SHARE, now: () => elapsed() - waited });
  async function* send(): AsyncGenerator<string> {
    for await (const part of parts) {
      await reauthorize(db, reply.request);
      const sent = elapsed();
      yield part;
      waited += elapsed() - sent;
      await yieldToEventLoop();
    }
  }
  return reply
    .type(type)
    .header("Content-Disposition", `attachment; filename="${name}"`)
    .send(Readable.from(send(), { highWaterMark: 1 }));
}

/**
 * @param table the name of the file, and its columns
 * @param batches the records; `escapeCell` has escaped their cells
 */
export function sendCsv(
  reply: FastifyReply,
  db: Queries,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  batches: AsyncIterable<string[][]> | Iterable<string[][]>,
): FastifyReply {
  const file = { name, type: "text/csv; charset=utf-8" };
  return sendExport(reply, db, file, csvOf(columns, batches));
}
