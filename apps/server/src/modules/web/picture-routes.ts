import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { uploadedPictureOf } from "@keepsats/domain";
import type { FastifyInstance } from "fastify";
import { HOUR } from "../../platform/scheduling/clock.ts";
import type { ReadPictureFile } from "../catalogue/index.ts";
import { IMMUTABLE, type NotFound } from "./assets.ts";

interface Options {
  /** The folder of the built storefront. */
  readonly root: string;
  readonly readPicture: ReadPictureFile;
  readonly notFound: NotFound;
}

/**
 * Serves `/pictures`: uploaded pictures from the database, cached without limit, as WebP to clients
 * that accept it and as JPEG to others; and those of the build from its folder, cached for an hour.
 * Their names do not overlap. The admin shows them from another origin.
 */
export async function pictureRoutes(
  app: FastifyInstance,
  { root, readPicture, notFound }: Options,
): Promise<void> {
  app.get("/pictures/:name(^[0-9a-f]{32}-[0-9]{1,5}$)", async (request, reply) => {
    const [path = ""] = request.url.split("?");
    const kept = uploadedPictureOf(path);
    if (kept === undefined) return notFound(request, reply);
    const format = /\bimage\/webp\b/.test(request.headers.accept ?? "") ? "webp" : "jpeg";
    const content = await readPicture(kept.id, kept.width, format);
    if (content === undefined) return notFound(request, reply);
    const etag = `"${kept.id}-${kept.width}-${format}"`;
    reply
      .header("Cache-Control", IMMUTABLE)
      .header("Vary", "Accept")
      .header("ETag", etag)
      .header("Cross-Origin-Resource-Policy", "cross-origin");
    const known = request.headers["if-none-match"]
      ?.split(",")
      .map((one) => one.trim().replace(/^W\//, ""));
    if (known?.includes(etag) === true) return reply.code(304).send();
    return reply.type(`image/${format}`).send(content);
  });
  await app.register(fastifyStatic, {
    root: join(root, "pictures"),
    prefix: "/pictures/",
    preCompressed: true,
    maxAge: HOUR,
    index: false,
    setHeaders: (reply) => reply.header("Cross-Origin-Resource-Policy", "cross-origin"),
  });
}
