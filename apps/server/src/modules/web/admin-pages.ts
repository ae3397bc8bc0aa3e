import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "../../platform/http/problems.ts";
import { contentSecurityPolicy, pageHeaders } from "../../platform/http/security-headers.ts";
import { IMMUTABLE } from "./assets.ts";
import { loopbackRedirect } from "./page-request.ts";

const NOT_BUILT = "The admin is not built. Run: npm run build\n";
/** Paths that are not pages. */
const NOT_PAGES = /^\/+(?:api|assets)(?:[/?]|$)/;

interface Pages {
  /** The folder of the built admin. */
  readonly root: string;
  readonly adminUrl: string;
}

/**
 * Serves the built admin: `/assets`, cached without limit, its other files, and `index.html` for
 * every page. Without a build it answers 503 with a short text.
 */
export async function adminPages(app: FastifyInstance, { root, adminUrl }: Pages): Promise<void> {
  const isBuilt = existsSync(join(root, "index.html"));

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || NOT_PAGES.test(request.url)) return sendProblem(reply, "not_found");
    const redirect = loopbackRedirect(request, adminUrl);
    if (redirect !== undefined) return reply.redirect(redirect, 307);
    if (!isBuilt) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
    return reply.sendFile("index.html", root);
  });
  if (!isBuilt) return;
  await app.register(fastifyStatic, {
    root,
    prefix: "/",
    index: false,
    preCompressed: true,
    // These paths are pages. The plugin would answer 403 to clients without gzip and brotli.
    allowedPath: (path) => !path.endsWith("/"),
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(root, "assets"));
      const caching = isHashed ? IMMUTABLE : "no-cache, no-transform";
      reply.header("Cache-Control", caching);
    },
  });
}

/** The security headers of the admin. Pictures may come from the storefront. */
export function adminHeaders(adminUrl: string, publicUrl: string) {
  return {
    ...pageHeaders(adminUrl),
    "content-security-policy": contentSecurityPolicy(adminUrl, { pictures: [publicUrl, "blob:"] }),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}
