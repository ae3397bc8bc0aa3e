import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { loopbackRedirect } from "../http/loopback.ts";
import { sendProblem } from "../http/problems.ts";

/** In seconds. */
const YEAR = 31_536_000;
const NOT_BUILT = "The desk is not built. Run: npm run build\n";
/** Paths that are no pages. */
const OWN = /^\/+(?:api|assets)(?:[/?]|$)/;

interface Pages {
  /** The folder of the built desk. */
  readonly root: string;
  readonly deskUrl: string;
}

/**
 * Serves the built desk: `/assets` cached without limit, its other files, and `index.html` for the
 * path of every page. Without a build it serves a short text instead.
 */
export async function deskPages(app: FastifyInstance, { root, deskUrl }: Pages): Promise<void> {
  const isBuilt = existsSync(join(root, "index.html"));

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || OWN.test(request.url)) return sendProblem(reply, "not_found");
    const elsewhere = loopbackRedirect(request, deskUrl);
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
    if (!isBuilt) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
    return reply.sendFile("index.html", root);
  });
  if (!isBuilt) return;
  await app.register(fastifyStatic, {
    root,
    prefix: "/",
    index: false,
    preCompressed: true,
    // These paths are pages. For a client without gzip and brotli the plugin would answer 403.
    allowedPath: (path) => !path.endsWith("/"),
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(root, "assets"));
      const kept = isHashed ? `public, max-age=${YEAR}, immutable` : "no-cache, no-transform";
      reply.header("Cache-Control", kept);
    },
  });
}
