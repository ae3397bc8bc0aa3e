import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { elapsed } from "../scheduling/clock.ts";
import { createYield, type YieldToEventLoop } from "../scheduling/yield-to-event-loop.ts";

/** The share of the time that an export takes while there are requests. */
const SHARE = 1 / 20;

interface ExportedFile {
  readonly name: string;
  readonly type: "text/csv; charset=utf-8" | "application/json; charset=utf-8";
}

/**
 * Sends a file while it is read: only a part of it is in memory.
 *
 * @param read yields the parts, and awaits its parameter between two of them, so that other
 *   requests hardly wait. Times when the client is slow do not count.
 */
export function sendExport(
  reply: FastifyReply,
  { name, type }: ExportedFile,
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
  const parts = read(createYield({ share: SHARE, now }));
  return reply
    .type(type)
    .header("Content-Disposition", `attachment; filename="${name}"`)
    .send(Readable.from(send(parts), { highWaterMark: 1 }));
}

/**
 * A table for spreadsheets: UTF-8 with a byte order mark, commas, CRLF (RFC 4180). Escape the cells
 * with `escapeCell` first.
 */
export async function* csvOf(
  columns: readonly string[],
  batches: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<string> {
  // Loaded at the first export, to keep the start fast.
  const { stringify } = await import("csv-stringify/sync");
  const options = { record_delimiter: "windows" } as const;
  yield stringify([[...columns]], { ...options, bom: true });
  for await (const records of batches) yield stringify([...records], options);
}
