import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type ContentEncoding,
  compress,
  pickEncoding,
} from "../../platform/http/content-encoding.ts";

/** A page, compressed at its first request: that saves time at the start, and memory. */
type ReadyPage = (encoding: ContentEncoding | undefined) => Promise<Buffer>;

export function compressedOnce(text: string): ReadyPage {
  const identity = Buffer.from(text);
  const compressed = new Map<ContentEncoding, Promise<Buffer>>();
  return async (encoding) => {
    if (encoding === undefined) return identity;
    const body = compressed.get(encoding) ?? compress[encoding](identity);
    compressed.set(encoding, body);
    return body.catch((error: unknown) => {
      compressed.delete(encoding);
      throw error;
    });
  };
}

/** Sends a page in an encoding that the client accepts. The reply has its type and caching. */
export async function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ReadyPage,
): Promise<FastifyReply> {
  const encoding = pickEncoding(request.headers["accept-encoding"]);
  const body = await page(encoding);
  if (encoding !== undefined) reply.header("Content-Encoding", encoding);
  return reply.header("Vary", "Accept-Encoding").send(body);
}
