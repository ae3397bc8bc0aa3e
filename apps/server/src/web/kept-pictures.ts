import { keptPictureOf } from "@keepsats/domain";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReadPictureFile } from "../pictures/recent-files.ts";

const YEAR = 31_536_000;

interface Options {
  readonly readPicture: ReadPictureFile;
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/**
 * Serves the pictures that the shop keeps in its database, cached without limit: as WebP to whoever
 * accepts it, and as JPEG to all others. Other sites may show them, because the desk has another
 * origin. The names of these pictures do not match those of the folder of pictures, which has a
 * route of its own.
 */
export function keptPictureRoute(app: FastifyInstance, { readPicture, notFound }: Options): void {
  app.get("/pictures/:name(^[0-9a-f]{32}-[0-9]{1,5}$)", async (request, reply) => {
    const [path = ""] = request.url.split("?");
    const kept = keptPictureOf(path);
    if (kept === undefined) return notFound(request, reply);
    const format = /\bimage\/webp\b/.test(request.headers.accept ?? "") ? "webp" : "jpeg";
    const content = await readPicture(kept.id, kept.width, format);
    if (content === undefined) return notFound(request, reply);
    const etag = `"${kept.id}-${kept.width}-${format}"`;
    reply
      .header("Cache-Control", `public, max-age=${YEAR}, immutable`)
      .header("Vary", "Accept")
      .header("ETag", etag)
      .header("Cross-Origin-Resource-Policy", "cross-origin");
    const known = request.headers["if-none-match"]
      ?.split(",")
      .map((one) => one.trim().replace(/^W\//, ""));
    if (known?.includes(etag) === true) return reply.code(304).send();
    return reply.type(`image/${format}`).send(content);
  });
}
