import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { uploadedPictureOf } from "@keepsats/domain";
import type { FastifyInstance } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { findPictureFile } from "../catalogue/index.ts";
import { IMMUTABLE, type NotFound } from "./assets.ts";

interface Options {
  /** The folder of the built storefront. */
  readonly root: string;
  readonly db: Queries;
  readonly notFound: NotFound;
}

/**
 * Serves `/pictures`. Uploaded pictures come from the database and are cached without limit, as WebP
 * for clients that accept it and as JPEG for others. Pictures of the build come from its folder and
 * are cached for an hour. Their names do not overlap. The admin shows them from another origin.
 */
export async function pictureRoutes(
  app: FastifyInstance,
  { root, db, notFound }: Options,
): Promise<void> {
  app.get("/pictures/:name(^[0-9a-f]{32}-[0-9]{1,5}$)", async (request, reply) => {
    const [path = ""] = request.url.split("?");
    const picture = uploadedPictureOf(path);
    if (picture === undefined) return notFound(request, reply);
    const format = /\bimage\/webp\b/.test(request.headers.accept ?? "") ? "webp" : "jpeg";
    const content = await findPictureFile(db, picture.id, { width: picture.width, format });
    if (content === undefined) return notFound(request, reply);
    return reply
      .header("Cache-Control", IMMUTABLE)
      .header("Vary", "Accept")
      .header("Cross-Origin-Resource-Policy", "cross-origin")
      .type(`image/${format}`)
      .send(content);
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
