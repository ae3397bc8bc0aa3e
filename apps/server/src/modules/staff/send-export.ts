import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { csvOf } from "../../platform/http/csv.ts";
import { elapsed } from "../../platform/scheduling/clock.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import { whileAuthorized } from "./authorize.ts";

/** The share of the time that an export takes while there are requests. */
const SHARE = 1 / 20;

/**
 * Sends a file while it is read: only a part of it is in memory. A principal that is revoked gets no
 * further part.
 *
 * @param read yields the parts, and awaits its parameter between two of them, so that other
 *   requests hardly wait. Times when the client is slow do not count.
 */
export function sendExport(
  reply: FastifyReply,
  db: Queries,
  { name, type }: { readonly name: string; readonly type: string },
  read: (yieldToEventLoop: YieldToEventLoop) => AsyncIterable<string>,
): FastifyReply {
  let waited = 0;
  const now = () => elapsed() - waited;
  async function* send(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      const sent = elapsed();
      yield part;
      waited += elapsed() - sent;
    }
  }
  const parts = whileAuthorized(read(createYield({ share: SHARE, now })), db, reply.request);
  return reply
    .type(type)
    .header("Content-Disposition", `attachment; filename="${name}"`)
    .send(Readable.from(send(parts), { highWaterMark: 1 }));
}

/**
 * @param table the name of the file, and its columns
 * @param readRecords as in {@link sendExport}, in batches; `escapeCell` has escaped the cells
 */
export function sendCsv(
  reply: FastifyReply,
  db: Queries,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  readRecords: (yieldToEventLoop: YieldToEventLoop) => AsyncIterable<string[][]>,
): FastifyReply {
  const file = { name, type: "text/csv; charset=utf-8" };
  return sendExport(reply, db, file, (yieldToEventLoop) =>
    csvOf(columns, readRecords(yieldToEventLoop)),
  );
}
