import { problemType } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { cachedFor } from "../scheduling/cached-for.ts";
import { withTimeout } from "../scheduling/clock.ts";
import { problem, retryAfter } from "./problems.ts";

interface Health {
  readonly checkDatabase: () => Promise<void>;
  readonly bus: () => boolean;
  readonly provider: () => Promise<string>;
  readonly isStopping: () => boolean;
}

/** The timeout of the test write, in milliseconds. */
const WRITE_TIMEOUT = 3_000;
/** How long the result of the test write is cached, in milliseconds: the route is public. */
const CACHED_FOR = 1_000;

/**
 * `/livez` always answers 200. `/readyz` answers 200 unless the server is stopping or its database
 * is not writable. It also reports the bus and the provider, without which the shop still sells.
 *
 * `/readyz?exclude=database` is for proxies, so that the shop stays visible while the database is
 * unavailable. It also leaves out the provider, whose state is in the database.
 */
export function healthRoutes(
  app: FastifyInstance,
  { checkDatabase, bus, provider, isStopping }: Health,
): void {
  const databaseWrites = cachedFor(CACHED_FOR, () =>
    withTimeout(checkDatabase(), WRITE_TIMEOUT, "the database").then(
      () => true,
      () => false,
    ),
  );

  app.get("/livez", (_request, reply) =>
    reply.header("Cache-Control", "no-store").send({ status: "ok" }),
  );
  app.get("/readyz", async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    if (isStopping()) return sendUnready(reply, "The server is stopping.");
    const own = { bus: bus() ? "ok" : "away" };
    if (excludes(request.url, "database")) return { status: "ok", ...own };
    if (!(await databaseWrites()))
      return sendUnready(reply, "The database is not writable.", { database: "away", ...own });
    return { status: "ok", database: "ok", ...own, provider: await provider() };
  });
}

/** Answers 503 with a problem that has the state of each part. */
function sendUnready(
  reply: FastifyReply,
  detail: string,
  parts: Record<string, string> = {},
): FastifyReply {
  return reply
    .code(503)
    .type(problemType)
    .header("Retry-After", retryAfter())
    .send(JSON.stringify({ ...problem("unavailable", { detail }), ...parts }));
}

function excludes(url: string, part: string): boolean {
  return URL.parse(url, "http://shop")?.searchParams.getAll("exclude").includes(part) ?? false;
}
